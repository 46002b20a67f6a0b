import { z } from 'zod';
import { EDIT_MEANINGS } from '../item.events';
import type { Item } from '../item.state';

/** The edit that brought a pin, the active intents it was made against, and what its author said of it: null while nobody has answered. */
export const PinEdit = z.object({ revision: z.int(), intents: z.array(z.string()).readonly(), meaning: z.enum(EDIT_MEANINGS).nullable() }).meta({ id: 'PinEdit' });

/** A field that a person keeps from agents; who, and since when. `edit` is there when the pin came with a change by hand. */
export const ItemPin = z.object({ field: z.string(), pinnedBy: z.string(), pinnedAt: z.string(), edit: PinEdit.optional() }).meta({ id: 'ItemPin' });
export const ItemPins = z.array(ItemPin).readonly();
export type ItemPins = Readonly<z.infer<typeof ItemPins>>;

export const pinsAnswer = (item: Item): ItemPins =>
  Object.entries(item.status === 'live' ? item.pins : {})
    .map(([field, { by, at, edit }]) => ({ field, pinnedBy: by, pinnedAt: at, ...(edit && { edit }) }))
    .toSorted((a, b) => (a.field < b.field ? -1 : 1));
