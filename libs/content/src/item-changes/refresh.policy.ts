/** A collection has changed: how many events there were, and a position at which the items can be read as they leave them. */
export type CollectionRefresh = { readonly collection: string; readonly changes: number; readonly position: bigint };
/** One for each collection, in the order in which they changed first. */
export type Refreshes = ReadonlyMap<string, CollectionRefresh>;

/** Notifications that nobody has taken yet become one. */
export const noted = (waiting: Refreshes, { collection, changes, position }: CollectionRefresh): Refreshes => {
  const known = waiting.get(collection);
  const later = known && known.position > position ? known.position : position;
  return new Map(waiting).set(collection, { collection, changes: changes + (known?.changes ?? 0), position: later });
};
