import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';

const Data = z.record(z.string(), z.json());
/** Field values by name. A field without a value is absent, never null. */
export type ItemData = Readonly<z.infer<typeof Data>>;

/**
 * `before` and `patch` hold the touched fields only, under the same names; null means that the field has no value.
 * Who did it, and on which run, is in the metadata.
 */
export const itemEvents = eventFamily('item', {
  ItemCreated: z.strictObject({ siteId: z.string(), collection: z.string(), data: Data, at: z.string() }),
  ItemPatched: z.strictObject({ collection: z.string(), before: Data, patch: Data, at: z.string() }),
  ItemDeleted: z.strictObject({ collection: z.string(), before: Data, at: z.string() }),
});
export type ItemEvent = EventOf<typeof itemEvents>;
