import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';

/** What a sweep did: the ids of what it proposed, and of what it took back because the level has moved or something went wrong. */
export const CheckedPromotions = z.object({ examined: z.int(), proposed: z.array(z.string()), withdrawn: z.array(z.string()) }).meta({ id: 'CheckedPromotions' });
export type CheckedPromotions = z.infer<typeof CheckedPromotions>;

export class CheckPromotions extends Command<Outcome<CheckedPromotions>> {
  constructor(readonly context: Context) {
    super();
  }
}
