import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';
import { GoalFields, type CreatedGoal } from '../create-goal/create-goal.command';

/** Who takes the goal up, and how what it does is to be approved. */
export const StartGoalBody = GoalFields.pick({ agentName: true, approvalPolicy: true, model: true, provider: true }).meta({ id: 'StartGoal' });
export type StartGoalBody = z.infer<typeof StartGoalBody>;

/** An agent takes up a goal that nobody works on, such as one of the reconciler. It gets a run that it drives itself. */
export class StartGoal extends Command<Outcome<CreatedGoal>> {
  constructor(
    readonly goalId: string,
    readonly body: StartGoalBody,
    readonly principal: Principal,
    readonly context: Context,
  ) {
    super();
  }
}
