import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, Executor, idFor, stateHash } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { run } from '@app/runs/contract';
import type { CreatedGoal } from '../create-goal/create-goal.command';
import { isGoalOfSite } from '../goal-site';
import { goal } from '../goal.state';
import { StartGoal } from './start-goal.command';
import { startGoal } from './start-goal.decide';

@CommandHandler(StartGoal)
export class StartGoalHandler implements ICommandHandler<StartGoal> {
  constructor(
    private readonly executor: Executor,
    private readonly store: EventStore,
  ) {}

  async execute({ goalId, body, principal, context }: StartGoal): Promise<Outcome<CreatedGoal>> {
    if (!(await isGoalOfSite(this.store, goalId, context.siteId))) return missing();
    const runId = idFor('run', context);
    const parentRunId = await this.parentRun(goalId);
    const refs = {
      goal: { aggregate: goal, id: goalId }, run: { aggregate: run, id: runId, fresh: true }, governance: { aggregate: governance, id: context.siteId, guard: true },
    } as const;
    const done = await this.executor.execute(refs, { ...context, runId, goalId }, (states) => {
      const hash = stateHash(states.governance);
      return startGoal(states, body, principal, runId, hash, context, parentRunId);
    });
    if (!done.ok) return done;
    return { ok: true, data: { goalId, runId, goalStatus: done.states.goal.status, runStatus: done.states.run.status }, position: done.position };
  }

  /** A goal has one run, and only a goal that has its run is made into parts. */
  private async parentRun(goalId: string): Promise<string | undefined> {
    const { state } = await this.executor.current(goal, goalId);
    if (state.status === 'none' || state.parentGoalId === null) return undefined;
    const parent = (await this.executor.current(goal, state.parentGoalId)).state;
    return parent.status === 'none' ? undefined : (parent.runId ?? undefined);
  }
}
