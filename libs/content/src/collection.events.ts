import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';
import { Field } from './field.schema';
import { Relation } from './relation.schema';

/** `at` is the moment of the decision, in the data because a state is folded from data alone. */
export const collectionEvents = eventFamily('collection', {
  CollectionCreated: z.strictObject({ siteId: z.string(), name: z.string(), fields: z.array(Field), at: z.string() }),
  /** What people read about it; null takes it away. */
  CollectionChanged: z.strictObject({ before: z.string().nullable(), description: z.string().nullable(), at: z.string() }),
  /** Its items go with it: nobody reaches them any more. */
  CollectionDeleted: z.strictObject({ by: z.string(), at: z.string() }),
  FieldAdded: z.strictObject({ field: Field, at: z.string() }),
  FieldChanged: z.strictObject({ before: Field, field: Field, at: z.string() }),
  /** Holds the definition as it was. */
  FieldRemoved: z.strictObject({ field: Field, at: z.string() }),
  /** Told to both collections of a relation, so that each knows what it takes part in. */
  RelationAdded: z.strictObject({ relation: Relation, at: z.string() }),
  RelationRemoved: z.strictObject({ relation: Relation, at: z.string() }),
  /** An intent looks after the collection from here on, or no more: while it is active, people's edits pin what they touch. */
  CollectionGoverned: z.strictObject({ intentId: z.string(), at: z.string() }),
  CollectionReleased: z.strictObject({ intentId: z.string(), at: z.string() }),
});
export type CollectionEvent = EventOf<typeof collectionEvents>;
