import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { Name } from '../field.schema';
import type { ItemView } from '../item-list/item.view';

export const RestoreRevisionBody = z
  .strictObject({
    collection: Name,
    id: z.string().max(100),
    revision: z.int().min(1).describe('The number of the revision whose values the item gets back'),
    ifMatch: z.int().min(0).optional().describe('Restore it only if the item still has this version'),
  })
  .meta({ id: 'RestoreRevision' });
export type RestoreRevisionBody = z.infer<typeof RestoreRevisionBody>;

/** Gives an item the values it had at a revision, as a new revision. */
export class RestoreRevision extends Command<Outcome<ItemView>> {
  constructor(
    readonly body: RestoreRevisionBody,
    readonly context: Context,
  ) {
    super();
  }
}
