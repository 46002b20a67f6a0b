import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';

const Data = z.record(z.string(), z.json());
/** Field values by name. A field without a value is absent, never null. */
export type ItemData = Readonly<z.infer<typeof Data>>;

const Staged = z.strictObject({ stagingId: z.string(), constitutionHash: z.string().nullable() });

/**
 * `before` and `patch` hold the touched fields only, under the same names; null means that the field has no value.
 * Who did it, and on which run, is in the metadata.
 */
export const itemEvents = eventFamily('item', {
  ItemCreated: z.strictObject({ siteId: z.string(), collection: z.string(), data: Data, at: z.string() }),
  /** `staged` tells that the change had waited in a veto window before. */
  ItemPatched: z.strictObject({ collection: z.string(), before: Data, patch: Data, at: z.string(), staged: Staged.optional() }),
  ItemDeleted: z.strictObject({ collection: z.string(), before: Data, at: z.string() }),
  /** `by` is the id of the person who keeps the field from agents, or gives it back to them. */
  FieldPinned: z.strictObject({ collection: z.string(), field: z.string(), by: z.string(), at: z.string() }),
  FieldUnpinned: z.strictObject({ collection: z.string(), field: z.string(), by: z.string(), at: z.string() }),
});
export type ItemEvent = EventOf<typeof itemEvents>;
