import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Bus } from '@app/cqrs';
import { EventStore, Executor } from '@app/event-store';
import { accept, missing, reject, type Outcome } from '@app/kernel';
import { StopRun } from '@app/runs/contract';
import { goal, hasEnded, type Goal } from '../goal.state';
import { isGoalOfSite } from '../goal-site';
import { SettleGoal, type SettledGoal } from './settle-goal.command';
import { verdictOfParts } from './verdict.policy';

type Known = Exclude<Goal, { status: 'none' }>;

@CommandHandler(SettleGoal)
export class SettleGoalHandler implements ICommandHandler<SettleGoal> {
  constructor(
    private readonly executor: Executor,
    private readonly store: EventStore,
    private readonly bus: Bus,
  ) {}

  async execute({ goalId, contextFor, onItsOwn }: SettleGoal): Promise<Outcome<SettledGoal>> {
    const context = contextFor();
    const { state, position } = await this.executor.current(goal, goalId);
    if (state.status === 'none' || !(await isGoalOfSite(this.store, goalId, context.siteId))) return missing();
    if (hasEnded(state)) return { ok: true, data: view(goalId, state), position };
    const parts = await Promise.all(state.children.map(async (id) => ({ goalId: id, state: (await this.executor.current(goal, id)).state })));
    const verdict = verdictOfParts(parts);
    if (verdict.status === 'open' || parts.length === 0) {
      if (onItsOwn) return { ok: true, data: view(goalId, state), position };
      const open = verdict.status === 'open' ? verdict.open : [];
      return reject('conflict', 'CONFLICT', parts.length === 0 ? 'This goal has no parts; its run ends it.' : 'Some parts of this goal are still open.', { open });
    }
    const ended = verdict.status === 'completed' ? ({ status: 'succeeded' } as const) : ({ status: 'failed', reason: verdict.reason } as const);
    // A goal and its run end together; only one that nobody took up ends alone.
    if (state.runId !== null) {
      const stopped = await this.bus.send(new StopRun(state.runId, ended, contextFor('run')));
      if (!stopped.ok) return stopped;
    } else {
      const settled = { type: 'GoalSettled', data: verdict } as const;
      const done = await this.executor.execute({ goal: { aggregate: goal, id: goalId } }, { ...context, goalId }, (states) => accept({ goal: hasEnded(states.goal) ? [] : [settled] }));
      if (!done.ok) return done;
    }
    const after = await this.executor.current(goal, goalId);
    return { ok: true, data: view(goalId, after.state as Known), position: after.position };
  }
}

const view = (goalId: string, { status, reason }: Known): SettledGoal => ({ goalId, status, reason });
