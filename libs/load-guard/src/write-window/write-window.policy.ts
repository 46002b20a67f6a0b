import { categoryOf, type Event } from '@app/kernel';

/** Writes to one collection, told together. */
export type CollectionWrites = { readonly collection: string; readonly writes: number };

/**
 * Collects the item writes of one handler. Each is in the log by itself; what is told once per collection is that the collection has changed, at the
 * call's boundary, whether the handler ended well or not.
 */
export class WriteWindow {
  private readonly writes = new Map<string, number>();

  /** Takes note of what was appended to one stream on the handler's behalf; streams other than items are passed over. */
  readonly note = (streamId: string, events: readonly Event[]): void => {
    if (categoryOf(streamId) !== 'item') return;
    for (const { data } of events) {
      const { collection } = data as { readonly collection?: unknown };
      if (typeof collection === 'string') this.writes.set(collection, (this.writes.get(collection) ?? 0) + 1);
    }
  };

  /** Every collection that was written to, once, by name. */
  flushed = (): readonly CollectionWrites[] =>
    [...this.writes].map(([collection, writes]) => ({ collection, writes })).sort((a, b) => (a.collection < b.collection ? -1 : 1));
}
