import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { CollectionView } from '../collection-list/collection.view';
import { Field, Name } from '../field.schema';

export const AddFieldBody = z
  .strictObject({
    collection: Name,
    field: Field,
    ifMatch: z.int().min(0).optional().describe('Add the field only if the collection still has this version'),
  })
  .meta({ id: 'AddField' });
export type AddFieldBody = z.infer<typeof AddFieldBody>;

export class AddField extends Command<Outcome<CollectionView>> {
  constructor(
    readonly body: AddFieldBody,
    readonly context: Context,
  ) {
    super();
  }
}
