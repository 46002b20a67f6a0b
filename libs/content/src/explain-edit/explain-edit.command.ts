import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { EDIT_MEANINGS } from '../item.events';

export const ExplainEditBody = z
  .strictObject({
    revision: z.int().min(1).describe('The edit that pinned the fields, as its answer named it'),
    answer: z.enum(EDIT_MEANINGS).describe('`exception`: this item alone differs. `rule`: so it should be everywhere'),
    note: z.string().trim().min(1).max(2_000).optional(),
  })
  .meta({ id: 'ExplainEdit' });
export type ExplainEditBody = z.infer<typeof ExplainEditBody>;

/** `intents` are those whose rules the edit was made against: with `rule` it is they that have to change. */
export const ExplainedEdit = z
  .object({ revision: z.int(), answer: z.enum(EDIT_MEANINGS), fields: z.array(z.string()).readonly(), intents: z.array(z.string()).readonly() })
  .meta({ id: 'ExplainedEdit' });
export type ExplainedEdit = Readonly<z.infer<typeof ExplainedEdit>>;

/** A person says whether an edit that pinned fields was a one-off exception or a new rule. */
export class ExplainEdit extends Command<Outcome<ExplainedEdit>> {
  constructor(
    readonly target: { readonly collection: string; readonly id: string },
    readonly body: ExplainEditBody,
    readonly context: Context,
  ) {
    super();
  }
}
