import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';

export const SettledGoal = z.object({ goalId: z.string(), status: z.string(), reason: z.string().nullable() }).meta({ id: 'SettledGoal' });
export type SettledGoal = z.infer<typeof SettledGoal>;

/** Ends a goal by how its parts ended. `onItsOwn` marks the sweep that follows the last part: it does not complain when parts are still open. */
export class SettleGoal extends Command<Outcome<SettledGoal>> {
  constructor(
    readonly goalId: string,
    readonly contextFor: (step?: string) => Context,
    readonly onItsOwn = false,
  ) {
    super();
  }
}
