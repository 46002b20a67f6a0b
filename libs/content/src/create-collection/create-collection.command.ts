import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { CollectionView } from '../collection-list/collection.view';
import { Field, MAX_FIELDS, Name } from '../field.schema';

export const CreateCollectionBody = z.strictObject({ name: Name, fields: z.array(Field).max(MAX_FIELDS) }).meta({ id: 'CreateCollection' });
export type CreateCollectionBody = z.infer<typeof CreateCollectionBody>;

export class CreateCollection extends Command<Outcome<CollectionView>> {
  constructor(
    readonly body: CreateCollectionBody,
    readonly context: Context,
  ) {
    super();
  }
}
