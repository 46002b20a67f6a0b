import { Query, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { Name } from '../field.schema';
import type { Listed } from '../listed.view';
import type { ItemRevisionView } from './item-revision.view';

export const ListRevisionsInput = z
  .strictObject({
    collection: Name,
    id: z.string().max(100),
    limit: z.int().min(1).max(200).default(50),
    cursor: z.string().max(1_024).optional(),
  })
  .meta({ id: 'ListRevisions' });
export type ListRevisionsInput = z.infer<typeof ListRevisionsInput>;

/** The revisions of one item, newest first; those of a deleted item too. `minPosition`: what the list must have seen. */
export class ListRevisions extends Query<Outcome<Listed<ItemRevisionView>>> {
  constructor(
    readonly input: ListRevisionsInput,
    readonly context: Pick<Context, 'siteId'>,
    readonly minPosition?: bigint,
  ) {
    super();
  }
}
