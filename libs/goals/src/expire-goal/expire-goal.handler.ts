import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Bus } from '@app/cqrs';
import { Executor } from '@app/event-store';
import { accept, missing, type Outcome } from '@app/kernel';
import { StopRun } from '@app/runs/contract';
import { goal, hasEnded } from '../goal.state';
import { ExpireGoal } from './expire-goal.command';

@CommandHandler(ExpireGoal)
export class ExpireGoalHandler implements ICommandHandler<ExpireGoal> {
  constructor(
    private readonly executor: Executor,
    private readonly bus: Bus,
  ) {}

  /** A run that somebody opened meanwhile is found when the deadline is looked at again. */
  async execute({ goalId, context }: ExpireGoal): Promise<Outcome<{ readonly status: string }>> {
    const { state, position } = await this.executor.current(goal, goalId);
    if (state.status === 'none') return missing();
    if (hasEnded(state) || state.deadline === null || Date.parse(state.deadline) > context.now.getTime()) return { ok: true, data: { status: state.status }, position };
    const reason = `The deadline ${state.deadline} has passed`;
    if (state.runId !== null) {
      const stopped = await this.bus.send(new StopRun(state.runId, { status: 'failed', stopReason: 'timeout', reason }, { ...context, goalId }));
      return stopped.ok ? { ...stopped, data: { status: stopped.data.status } } : stopped;
    }
    const settled = { type: 'GoalSettled', data: { status: 'failed', reason } } as const;
    const done = await this.executor.execute({ goal: { aggregate: goal, id: goalId } }, { ...context, goalId }, (states) =>
      accept({ goal: states.goal.status !== 'none' && !hasEnded(states.goal) && states.goal.runId === null ? [settled] : [] }),
    );
    return done.ok ? { ok: true, data: { status: done.states.goal.status }, position: done.position } : done;
  }
}
