import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { CallId } from '@app/tool-calls/contract';
import { z } from 'zod';
import { CreatedGoal, GoalFields, type CreateGoalStep } from '../create-goal/create-goal.command';

const { agentName, budget, autonomyCap } = GoalFields.shape;

/** The first call that is to run anew, and what shall be different. What bounded the old run can be made tighter, not looser. */
export const ForkRunBody = z.strictObject({
  atCallId: CallId,
  overrides: z.strictObject({ agentName, budget, autonomyCap, approvalPolicy: GoalFields.shape.approvalPolicy.unwrap() }).partial().default({}),
}).meta({ id: 'ForkRun' });
export type ForkRunBody = z.infer<typeof ForkRunBody>;

/** `inherited` are the calls that are answered from the record of the run `forkOf`. */
export const ForkedRun = CreatedGoal.omit({ result: true }).extend({ forkOf: z.string(), atCallId: z.string(), inherited: z.array(z.string()) }).meta({ id: 'ForkedRun' });
export type ForkedRun = z.infer<typeof ForkedRun>;

/** A run of one's own that begins with the history of another. Open to the owner of that run and to admins, who see its results. */
export class ForkRun extends Command<Outcome<ForkedRun>> {
  constructor(
    readonly runId: string,
    readonly body: ForkRunBody,
    readonly principal: Principal,
    readonly contextFor: (step: CreateGoalStep) => Context,
  ) {
    super();
  }
}
