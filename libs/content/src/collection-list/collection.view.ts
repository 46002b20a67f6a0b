import { z } from 'zod';
import type { LiveCollection } from '../collection.state';
import { Field } from '../field.schema';
import { Relation } from '../relation.schema';

/**
 * A collection, its fields, and the relations it takes part in on either side. `version` is that of its stream: it changes with every change of the
 * schema, and when an intent begins or ends to look after it.
 */
export const CollectionView = z
  .object({
    name: z.string(),
    description: z.string().nullable(),
    fields: z.array(Field).readonly(),
    relations: z.array(Relation).readonly(),
    version: z.int(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'Collection' });
export type CollectionView = Readonly<z.infer<typeof CollectionView>>;

export const collectionView = (
  { name, description, fields, relations, createdAt, updatedAt }: Omit<CollectionView, 'version'> | LiveCollection,
  version: number,
): CollectionView => ({ name, description, fields, relations, version, createdAt, updatedAt });
