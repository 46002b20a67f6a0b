export type ListedItem = { readonly id: string; readonly data: Readonly<Record<string, unknown>>; readonly updatedAt: string };

/** The live items of a collection, page by page in the order of their ids. The app that keeps the read models provides it. */
export abstract class ItemPages {
  /** Waits a moment until items are listed as they were at a position of the log; what is listed then may still be behind. */
  abstract caughtUp(position: bigint): Promise<void>;
  /** Items with an id above `after`; an empty page is the end. */
  abstract after(siteId: string, collection: string, after: string | null): Promise<readonly ListedItem[]>;
}
