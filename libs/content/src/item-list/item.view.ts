import { z } from 'zod';
import type { LiveItem } from '../item.state';

/** A live item. `version` is that of its stream, and its ETag; `data` holds the fields that have a value. */
export const ItemView = z
  .object({
    id: z.string(),
    collection: z.string(),
    data: z.record(z.string(), z.json()).readonly(),
    version: z.int(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'Item' });
export type ItemView = Readonly<z.infer<typeof ItemView>>;

export const itemView = (
  id: string,
  { collection, data, createdAt, updatedAt }: Omit<LiveItem, 'status' | 'siteId' | 'pins'>,
  version: number,
): ItemView => ({
  id,
  collection,
  data,
  version,
  createdAt,
  updatedAt,
});
