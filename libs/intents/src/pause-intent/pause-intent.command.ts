import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { IntentView } from '../intent-list/intent.view';

export const PauseIntentBody = z.strictObject({ reason: z.string().trim().min(1).max(2_000).optional() }).meta({ id: 'PauseIntent' });

/** What to do with an intent. One that broke is resumed like one that was paused. */
export type Wish = { readonly to: 'pause'; readonly reason?: string | undefined } | { readonly to: 'resume' };

export class PauseIntent extends Command<Outcome<IntentView>> {
  constructor(
    readonly intentId: string,
    readonly wish: Wish,
    readonly context: Context,
  ) {
    super();
  }
}
