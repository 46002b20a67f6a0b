import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { Name } from '../field.schema';
import { GivenProvenance } from '../item-provenance/provenance.policy';

export const MAX_BATCH = 500;

export const CreateItemsBody = z
  .strictObject({
    collection: Name,
    items: z.array(z.record(z.string(), z.unknown())).min(1).max(MAX_BATCH).describe('Field values by name, an object for each item; all of them are created, or none'),
    provenance: GivenProvenance.optional(),
  })
  .meta({ id: 'CreateItems' });
export type CreateItemsBody = z.infer<typeof CreateItemsBody>;

/** `ids` are in the order of the request. */
export const CreatedItems = z.object({ collection: z.string(), created: z.int(), ids: z.array(z.string()).readonly() }).meta({ id: 'CreatedItems' });
export type CreatedItems = Readonly<z.infer<typeof CreatedItems>>;

/** Many items of one collection in one append. */
export class CreateItems extends Command<Outcome<CreatedItems>> {
  constructor(
    readonly body: CreateItemsBody,
    readonly context: Context,
  ) {
    super();
  }
}
