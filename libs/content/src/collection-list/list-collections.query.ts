import { Query, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { Listed } from '../listed.view';
import type { CollectionView } from './collection.view';

export const ListCollectionsInput = z
  .strictObject({ limit: z.int().min(1).max(200).default(50), cursor: z.string().max(1_024).optional() })
  .meta({ id: 'ListCollections' });
export type ListCollectionsInput = z.infer<typeof ListCollectionsInput>;

/** The collections of a site by name. `minPosition`: what the list must have seen. */
export class ListCollections extends Query<Outcome<Listed<CollectionView>>> {
  constructor(
    readonly input: ListCollectionsInput,
    readonly context: Pick<Context, 'siteId'>,
    readonly minPosition?: bigint,
  ) {
    super();
  }
}
