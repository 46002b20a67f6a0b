import { Command, type Context, type Outcome, type Principal } from '@app/kernel';
import { z } from 'zod';

export const CancelGoalBody = z.strictObject({ reason: z.string().trim().min(1).max(2_000).optional() }).meta({ id: 'CancelGoal' });
export const CancelledGoal = z.object({ goalId: z.string(), status: z.string(), cancelled: z.array(z.string()) }).meta({ id: 'CancelledGoal' });
export type CancelledGoal = z.infer<typeof CancelledGoal>;

/** Ends a goal, its run and all its parts. `cancelled` lists the goals that this very request ended or asked to end. */
export class CancelGoal extends Command<Outcome<CancelledGoal>> {
  constructor(
    readonly goalId: string,
    readonly reason: string | undefined,
    readonly principal: Principal,
    readonly contextFor: (step?: string) => Context,
  ) {
    super();
  }
}
