import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Bus } from '@app/cqrs';
import { EventStore, Executor } from '@app/event-store';
import { accept, may, missing, reject, type Outcome } from '@app/kernel';
import { EndRun } from '@app/runs/contract';
import { goal, hasEnded } from '../goal.state';
import { isGoalOfSite } from '../goal-site';
import { CancelGoal, type CancelledGoal } from './cancel-goal.command';

@CommandHandler(CancelGoal)
export class CancelGoalHandler implements ICommandHandler<CancelGoal> {
  constructor(
    private readonly executor: Executor,
    private readonly store: EventStore,
    private readonly bus: Bus,
  ) {}

  async execute(command: CancelGoal): Promise<Outcome<CancelledGoal>> {
    const { goalId, principal, contextFor } = command;
    const { state } = await this.executor.current(goal, goalId);
    const { siteId } = contextFor();
    if (state.status === 'none' || !(await isGoalOfSite(this.store, goalId, siteId))) return missing();
    if (state.owner !== principal.id && !may(principal, 'runs:cancel')) return missing();
    if (hasEnded(state)) return reject('conflict', 'CONFLICT', `This goal has already ended: it is ${state.status}.`, { goalStatus: state.status });
    const cancelled: string[] = [];
    const failure = await this.cancel(goalId, command, cancelled);
    if (failure) return failure;
    const after = await this.executor.current(goal, goalId);
    return { ok: true, data: { goalId, status: after.state.status, cancelled }, position: after.position };
  }

  /** The whole goes first, so that its planner makes no new parts meanwhile. A part that has ended is left as it is. */
  private async cancel(goalId: string, command: CancelGoal, cancelled: string[]): Promise<Extract<Outcome<never>, { ok: false }> | undefined> {
    const { state } = await this.executor.current(goal, goalId);
    if (state.status === 'none') return undefined;
    if (!hasEnded(state)) {
      const failure = state.runId === null ? await this.withdraw(goalId, command) : await this.cancelRun(state.runId, command);
      if (failure) return failure;
      cancelled.push(goalId);
    }
    for (const child of state.children) {
      const failure = await this.cancel(child, command, cancelled);
      if (failure) return failure;
    }
    return undefined;
  }

  private async withdraw(goalId: string, { reason, contextFor }: CancelGoal) {
    const event = { type: 'GoalCancelled', data: reason === undefined ? {} : { reason } } as const;
    const done = await this.executor.execute({ goal: { aggregate: goal, id: goalId } }, { ...contextFor(goalId), goalId }, (states) =>
      states.goal.status !== 'none' && !hasEnded(states.goal) && states.goal.runId === null ? accept({ goal: [event] }) : reject('conflict', 'CONFLICT', 'Somebody took the goal up meanwhile; cancel it again.'),
    );
    return done.ok ? undefined : done;
  }

  /** Whoever may cancel a goal may cancel what works on it, whoever drives it. */
  private async cancelRun(runId: string, { reason, principal, contextFor }: CancelGoal) {
    const as = { ...principal, capabilities: [...principal.capabilities, 'runs:cancel'] };
    const ended = await this.bus.send(new EndRun(runId, { to: 'cancel', ...(reason !== undefined && { reason }) }, as, contextFor(runId)));
    return ended.ok || ended.rejection.code === 'RUN_TERMINAL' ? undefined : ended;
  }
}
