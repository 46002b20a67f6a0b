import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Bus } from '@app/cqrs';
import { EventStore, Executor } from '@app/event-store';
import { missing, reject, type Outcome } from '@app/kernel';
import { isOpened, run, type RunEvent } from '@app/runs/contract';
import { CreateGoal } from '../create-goal/create-goal.command';
import { goal } from '../goal.state';
import { ForkRun, type ForkedRun } from './fork-run.command';
import { forkedGoal, looserThan } from './fork-run.policy';
import { callsBefore } from './history.policy';

@CommandHandler(ForkRun)
export class ForkRunHandler implements ICommandHandler<ForkRun> {
  constructor(
    private readonly executor: Executor,
    private readonly store: EventStore,
    private readonly bus: Bus,
  ) {}

  async execute({ runId, body: { atCallId, overrides }, principal, contextFor }: ForkRun): Promise<Outcome<ForkedRun>> {
    const { state } = await this.executor.current(run, runId);
    if (!isOpened(state) || state.envelope.context.siteId !== contextFor('open').siteId) return missing();
    if (state.envelope.principalId !== principal.id && !principal.roles.includes('admin')) return missing();
    const events: RunEvent[] = [];
    for await (const event of this.store.read(`run-${runId}`)) events.push(event as unknown as RunEvent);
    const inherited = callsBefore(state, events, atCallId);
    if (!inherited) {
      const errors = [{ pointer: '/atCallId', detail: 'No call of this run has this id' }];
      return reject('invalid', 'VALIDATION_FAILED', 'The run cannot be forked there.', { errors });
    }
    const looser = looserThan(state, overrides);
    if (looser) return looser;
    const old = await this.executor.current(goal, state.goalId);
    if (old.state.status === 'none') return missing();
    const fork = { forkOf: runId, atCallId, inherited, overrides };
    const created = await this.bus.send(new CreateGoal(forkedGoal(state, old.state, overrides), principal, contextFor, { origin: old.state.origin, fork }));
    if (!created.ok) return created;
    const { result: _none, ...opened } = created.data;
    return { ...created, data: { ...opened, forkOf: runId, atCallId, inherited: [...inherited] } };
  }
}
