import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { Name } from '../field.schema';
import { GivenProvenance } from '../item-provenance/provenance.policy';
import type { ItemView } from '../item-list/item.view';

export const UpdateItemBody = z
  .strictObject({
    collection: Name,
    id: z.string().max(100),
    data: z.record(z.string(), z.unknown()).describe('The fields to change; null takes an optional value away'),
    provenance: GivenProvenance.optional(),
    ifMatch: z.int().min(0).optional().describe('Change the item only if it still has this version'),
  })
  .meta({ id: 'UpdateItem' });
export type UpdateItemBody = z.infer<typeof UpdateItemBody>;

export class UpdateItem extends Command<Outcome<ItemView>> {
  constructor(
    readonly body: UpdateItemBody,
    readonly context: Context,
  ) {
    super();
  }
}
