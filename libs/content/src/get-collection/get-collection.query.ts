import { Query, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { CollectionView } from '../collection-list/collection.view';
import { Name } from '../field.schema';

export const GetCollectionInput = z.strictObject({ name: Name }).meta({ id: 'GetCollection' });
export type GetCollectionInput = z.infer<typeof GetCollectionInput>;

/** One collection as the log has it now. */
export class GetCollection extends Query<Outcome<CollectionView>> {
  constructor(
    readonly input: GetCollectionInput,
    readonly context: Pick<Context, 'siteId'>,
  ) {
    super();
  }
}
