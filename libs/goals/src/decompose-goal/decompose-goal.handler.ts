import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, Executor, idOfText, type StreamRef } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { accept, missing, type Outcome } from '@app/kernel';
import { run } from '@app/runs/contract';
import { isGoalOfSite } from '../goal-site';
import type { GoalEvent } from '../goal.events';
import { goal, type Goal } from '../goal.state';
import { MAX_DEPTH, DecomposeGoal, type DecomposedGoal } from './decompose-goal.command';
import { decomposeGoal } from './decompose-goal.decide';

@CommandHandler(DecomposeGoal)
export class DecomposeGoalHandler implements ICommandHandler<DecomposeGoal> {
  constructor(
    private readonly executor: Executor,
    private readonly store: EventStore,
  ) {}

  async execute({ goalId, body, principal, context }: DecomposeGoal): Promise<Outcome<DecomposedGoal>> {
    const { state } = await this.executor.current(goal, goalId);
    if (state.status === 'none' || state.runId === null || !(await isGoalOfSite(this.store, goalId, context.siteId))) return missing();
    const ids = body.goals.map((_part, nr) => idOfText('goal', `${goalId}/${context.commandId}/${nr}`));
    const streams = {
      goal: { aggregate: goal, id: goalId }, run: { aggregate: run, id: state.runId }, governance: { aggregate: governance, id: context.siteId, guard: true },
    } as const;
    const children = Object.fromEntries(ids.map((id) => [`child ${id}`, { aggregate: goal, id, fresh: true } satisfies StreamRef<Goal, GoalEvent>]));
    const depth = await this.depthOf(state);
    const done = await this.executor.execute({ ...streams, ...children } as typeof streams, { ...context, goalId, runId: state.runId }, (states) => {
      const decision = decomposeGoal(states, body.goals, ids, depth, principal);
      if (!decision.ok) return decision;
      const { children: created, ...events } = decision.events;
      return accept({ ...events, ...Object.fromEntries(created.map((event) => [`child ${event.data.goalId}`, [event]])) });
    });
    if (!done.ok) return done;
    const made = done.states as unknown as Readonly<Record<string, Goal>>;
    const goals = ids.flatMap((id) => {
      const child = made[`child ${id}`];
      return child === undefined || child.status === 'none' ? [] : [{ goalId: id, title: child.title, agentRole: child.agentRole ?? '', maxToolCalls: child.budget?.maxToolCalls ?? 0 }];
    });
    return { ok: true, data: { goalId, goals }, position: done.position };
  }

  /** Parents never change, so what was read holds. */
  private async depthOf(state: Exclude<Goal, { status: 'none' }>): Promise<number> {
    let depth = 0;
    for (let parent = state.parentGoalId; parent !== null && depth <= MAX_DEPTH; depth++) {
      const { state: above } = await this.executor.states.load(goal, parent);
      parent = above.status === 'none' ? null : above.parentGoalId;
    }
    return depth;
  }
}
