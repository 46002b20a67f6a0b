import { z } from 'zod';
import { ItemRevisionView } from '../item-revisions/item-revision.view';
import type { LiveItem } from '../item.state';

/** Where the values of an item's newest revision come from; asked for with `provenance=true`. */
export const ItemProvenance = ItemRevisionView.pick({
  revision: true, authorType: true, authorId: true, createdByRunId: true, model: true, constitutionHash: true, sources: true, confidence: true, staged: true, autoCommitAt: true, at: true,
}).meta({ id: 'ItemProvenance' });
export type ItemProvenance = Readonly<z.infer<typeof ItemProvenance>>;

/** Whoever made an edit that pinned fields is asked: a one-off exception, or a new rule? The edit is done, whenever and however that is answered. */
export const EditQuestion = z
  .object({ revision: z.int(), fields: z.array(z.string()).readonly(), intents: z.array(z.string()).readonly() })
  .meta({ id: 'EditQuestion' });

/** A live item. `version` is that of its stream, and its ETag; `data` holds the fields that have a value. */
export const ItemView = z
  .object({
    id: z.string(),
    collection: z.string(),
    data: z.record(z.string(), z.json()).readonly(),
    version: z.int(),
    createdAt: z.string(),
    updatedAt: z.string(),
    provenance: ItemProvenance.optional(),
    question: EditQuestion.optional(),
  })
  .meta({ id: 'Item' });
export type ItemView = Readonly<z.infer<typeof ItemView>>;

export const itemView = (
  id: string,
  { collection, data, createdAt, updatedAt }: Pick<LiveItem, 'collection' | 'data' | 'createdAt' | 'updatedAt'>,
  version: number,
): ItemView => ({
  id,
  collection,
  data,
  version,
  createdAt,
  updatedAt,
});
