import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { EventStore, Executor, idFor, stateHash } from '@app/event-store';
import { governance } from '@app/governance/contract';
import { missing, type Outcome } from '@app/kernel';
import { run } from '@app/runs/contract';
import type { CreatedGoal } from '../create-goal/create-goal.command';
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
    if (!(await this.isOfSite(goalId, context.siteId))) return missing();
    const runId = idFor('run', context);
    const refs = {
      goal: { aggregate: goal, id: goalId }, run: { aggregate: run, id: runId }, governance: { aggregate: governance, id: context.siteId, guard: true },
    } as const;
    const done = await this.executor.execute(refs, { ...context, runId, goalId }, (states) => {
      const hash = stateHash(states.governance);
      return startGoal(states, body, principal, runId, hash, context);
    });
    if (!done.ok) return done;
    return { ok: true, data: { goalId, runId, goalStatus: done.states.goal.status, runStatus: done.states.run.status }, position: done.position };
  }

  /** The state of a goal does not hold its site; its first event does. */
  private async isOfSite(goalId: string, siteId: string): Promise<boolean> {
    for await (const event of this.store.read(`goal-${goalId}`)) return event.siteId === siteId;
    return false;
  }
}
