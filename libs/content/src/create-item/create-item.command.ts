import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { Name } from '../field.schema';
import { GivenProvenance } from '../item-provenance/provenance.policy';
import type { ItemView } from '../item-list/item.view';

export const CreateItemBody = z
  .strictObject({
    collection: Name,
    data: z.record(z.string(), z.unknown()).describe('Field values by name, as the collection defines them'),
    provenance: GivenProvenance.optional(),
  })
  .meta({ id: 'CreateItem' });
export type CreateItemBody = z.infer<typeof CreateItemBody>;

export class CreateItem extends Command<Outcome<ItemView>> {
  /** Without `id` the item gets a new one; a repeatable command gives the same id every time, so that a repeat meets the item it made. */
  constructor(
    readonly body: CreateItemBody,
    readonly context: Context,
    readonly id?: string,
  ) {
    super();
  }
}
