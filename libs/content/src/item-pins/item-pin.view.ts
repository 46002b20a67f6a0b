import { z } from 'zod';
import type { Item } from '../item.state';

/** A field that a person keeps from agents; who, and since when. */
export const ItemPin = z.object({ field: z.string(), pinnedBy: z.string(), pinnedAt: z.string() }).meta({ id: 'ItemPin' });
export const ItemPins = z.array(ItemPin).readonly();
export type ItemPins = Readonly<z.infer<typeof ItemPins>>;

export const pinsAnswer = (item: Item): ItemPins =>
  Object.entries(item.status === 'live' ? item.pins : {})
    .map(([field, { by, at }]) => ({ field, pinnedBy: by, pinnedAt: at }))
    .toSorted((a, b) => (a.field < b.field ? -1 : 1));
