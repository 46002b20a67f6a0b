import { z } from 'zod';
import type { LiveCollection } from '../collection.state';
import { Field } from '../field.schema';

/** A collection and its fields. `version` is that of its stream: it changes with every change of the schema, and when an intent begins or ends to look after it. */
export const CollectionView = z
  .object({ name: z.string(), fields: z.array(Field).readonly(), version: z.int(), createdAt: z.string(), updatedAt: z.string() })
  .meta({ id: 'Collection' });
export type CollectionView = Readonly<z.infer<typeof CollectionView>>;

export const collectionView = (
  { name, fields, createdAt, updatedAt }: Omit<LiveCollection, 'status' | 'siteId' | 'governedBy'>,
  version: number,
): CollectionView => ({
  name,
  fields,
  version,
  createdAt,
  updatedAt,
});
