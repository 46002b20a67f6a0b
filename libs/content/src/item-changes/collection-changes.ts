import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { EventStore } from '@app/event-store';
import type { Recorded } from '@app/kernel';
import { ReadModels } from '@app/projections';
import { items } from '../item-list/items.projection';
import { noted, type CollectionRefresh, type Refreshes } from './refresh.policy';

type Interest = { readonly siteId: string; readonly collection?: string | undefined };
type Listener = (siteId: string, refresh: CollectionRefresh) => void;

/**
 * Tells that a collection has changed, once its items can be read as they are now: whoever shows it reads it again then. A listener that is busy finds
 * one notification for each collection when it comes back, however many changes there were. The process follows the log once for all listeners,
 * and not at all without any; nothing is kept for those who are not there.
 */
@Injectable()
export class CollectionChanges implements OnModuleDestroy {
  private readonly listeners = new Set<Listener>();
  private following: AbortController | undefined;

  constructor(
    private readonly store: EventStore,
    private readonly readModels: ReadModels,
  ) {}

  onModuleDestroy(): void {
    this.following?.abort();
  }

  /** From now on, until the signal aborts; of one collection, or of all of a site. The first says where the read model is now. */
  async *of({ siteId, collection }: Interest, signal: AbortSignal): AsyncGenerator<CollectionRefresh, void, undefined> {
    let waiting: Refreshes = new Map();
    let wake = () => {};
    const listener: Listener = (site, refresh) => {
      if (site !== siteId || (collection !== undefined && refresh.collection !== collection)) return;
      waiting = noted(waiting, refresh);
      wake();
    };
    const stop = () => wake();
    signal.addEventListener('abort', stop, { once: true });
    await this.join(listener);
    try {
      if (collection !== undefined) yield { collection, changes: 0, position: await this.readModels.position(items) };
      while (!signal.aborted) {
        if (waiting.size === 0) await new Promise<void>((done) => ((wake = done), signal.aborted && done()));
        const [told, left] = [waiting, new Map() as Refreshes];
        waiting = left;
        yield* told.values();
      }
    } finally {
      signal.removeEventListener('abort', stop);
      this.leave(listener);
    }
  }

  private async join(listener: Listener): Promise<void> {
    this.listeners.add(listener);
    if (this.following) return;
    const following = (this.following = new AbortController());
    try {
      void this.follow(await this.store.head(), following.signal);
    } catch (error) {
      this.leave(listener);
      throw error;
    }
  }

  private leave(listener: Listener): void {
    this.listeners.delete(listener);
    if (this.listeners.size > 0) return;
    this.following?.abort();
    this.following = undefined;
  }

  private async follow(after: bigint, signal: AbortSignal): Promise<void> {
    let seen = after;
    while (!signal.aborted) {
      try {
        for await (const page of this.store.follow(seen, { filter: { categories: ['item'] }, signal })) {
          const last = page.at(-1);
          if (!last) continue;
          // Told before they could be read, a reader would find nothing new, and never hear of it again.
          await this.readModels.reached(items, last.position);
          seen = last.position;
          for (const [siteId, refresh] of refreshesOf(page)) for (const listener of this.listeners) listener(siteId, refresh);
        }
        // The log is closed.
        return;
      } catch {
        // The database is away, or the read model is behind: from where it was, as soon as it can.
        await new Promise((done) => setTimeout(done, 500).unref());
      }
    }
  }
}

/** The changes of a page, once for each collection of each site. */
const refreshesOf = (page: readonly Recorded[]): readonly (readonly [siteId: string, refresh: CollectionRefresh])[] => {
  const bySite = new Map<string, Refreshes>();
  for (const { siteId, position, data } of page) {
    const { collection } = data as { readonly collection?: unknown };
    if (typeof collection === 'string') bySite.set(siteId, noted(bySite.get(siteId) ?? new Map(), { collection, changes: 1, position }));
  }
  return [...bySite].flatMap(([siteId, refreshes]) => [...refreshes.values()].map((refresh) => [siteId, refresh] as const));
};
