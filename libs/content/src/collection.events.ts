import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';
import { Field } from './field.schema';

/** `at` is the moment of the decision, in the data because a state is folded from data alone. */
export const collectionEvents = eventFamily('collection', {
  CollectionCreated: z.strictObject({ siteId: z.string(), name: z.string(), fields: z.array(Field), at: z.string() }),
  FieldAdded: z.strictObject({ field: Field, at: z.string() }),
  /** An intent looks after the collection from here on, or no more: while it is active, people's edits pin what they touch. */
  CollectionGoverned: z.strictObject({ intentId: z.string(), at: z.string() }),
  CollectionReleased: z.strictObject({ intentId: z.string(), at: z.string() }),
});
export type CollectionEvent = EventOf<typeof collectionEvents>;
