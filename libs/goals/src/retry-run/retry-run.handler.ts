import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Bus } from '@app/cqrs';
import { Executor } from '@app/event-store';
import { missing, reject, type Context, type Outcome } from '@app/kernel';
import { QueueProvider } from '@app/queue';
import { isOpened, run } from '@app/runs/contract';
import { isUsable, principal as principalAggregate } from '@app/sites/contract';
import { CreateGoal } from '../create-goal/create-goal.command';
import { goal } from '../goal.state';
import { RetryRun, type RetriedRun, type RetryStep } from './retry-run.command';
import { retryableTask, sameGoal } from './retry-run.policy';

@CommandHandler(RetryRun)
export class RetryRunHandler implements ICommandHandler<RetryRun> {
  constructor(
    private readonly executor: Executor,
    private readonly bus: Bus,
    @Inject(QueueProvider) private readonly queue: QueueProvider | null,
  ) {}

  async execute({ runId, principal, contextFor }: RetryRun): Promise<Outcome<RetriedRun>> {
    const context = contextFor('open');
    const { state } = await this.executor.current(run, runId);
    if (!isOpened(state) || state.envelope.context.siteId !== context.siteId) return missing();
    const found = retryableTask(state, principal);
    if (!found.ok) return found;
    const [old, owner] = [await this.executor.current(goal, state.goalId), await this.executor.current(principalAggregate, state.envelope.principalId)];
    if (old.state.status === 'none') return missing();
    if (owner.state.status === 'none' || !isUsable(owner.state, context.now)) {
      return reject('conflict', 'CONFLICT', 'The key that this run worked with was revoked or has expired, so the run can do nothing any more; open a new goal with another key.');
    }
    const as = owner.state.principal;
    const { id, kind } = as;
    const ownerContext = (step: RetryStep): Context =>
      step === 'task' ? { ...contextFor(step), actor: { kind, id, ...(as.agentRole !== undefined && { role: as.agentRole }) } } : contextFor(step);
    const body = sameGoal(state, found.task, old.state, { now: context.now, canQueue: this.queue !== null });
    const { origin, driftFingerprint } = old.state;
    const lineage = { origin, retryOf: runId, ...(driftFingerprint !== null && { driftFingerprint }) };
    const created = await this.bus.send(new CreateGoal(body, as, ownerContext, lineage));
    return created.ok ? { ...created, data: { ...created.data, retryOf: runId } } : created;
  }
}
