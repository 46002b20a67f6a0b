import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { CreatedGoal, type CreateGoalStep } from '../create-goal/create-goal.command';
import { z } from 'zod';

export const RetriedRun = CreatedGoal.extend({ retryOf: z.string() }).meta({ id: 'RetriedRun' });
export type RetriedRun = z.infer<typeof RetriedRun>;

/**
 * The task of a run that has ended, once more: a new goal and a new run with what the owner of the old one may do now. Nothing is added to
 * the old run. Open to its owner, to admins and to operators.
 */
export class RetryRun extends Command<Outcome<RetriedRun>> {
  constructor(
    readonly runId: string,
    readonly principal: Principal,
    readonly contextFor: (step: CreateGoalStep) => Context,
  ) {
    super();
  }
}
