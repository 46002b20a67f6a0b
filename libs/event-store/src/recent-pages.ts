import type { Recorded } from '@app/kernel';
import type { LogPage } from './log-source';

export type RecentPagesOptions = {
  /** Events kept in memory for followers near the head. Default 4 096: a minute of a busy site. More would be memory that grows for hours after a start before it stands. */
  readonly maxEvents?: number;
  /** Their estimated size. Default 16 MB. */
  readonly maxBytes?: number;
};

type Kept = { readonly after: bigint; readonly reached: bigint; readonly events: readonly Recorded[]; readonly bytes: number };

/** The newest pages of the log, without a hole between them; the oldest leave first. */
export class RecentPages {
  private readonly maxEvents: number;
  private readonly maxBytes: number;
  private pages: Kept[] = [];
  private events = 0;
  private bytes = 0;

  constructor({ maxEvents = 4_096, maxBytes = 16 * 1024 * 1024 }: RecentPagesOptions = {}) {
    this.maxEvents = maxEvents;
    this.maxBytes = maxBytes;
  }

  add(after: bigint, { reached, events, bytes }: LogPage) {
    this.pages.push({ after, reached, events, bytes });
    this.events += events.length;
    this.bytes += bytes;
    let gone = 0;
    while (gone < this.pages.length && (this.events > this.maxEvents || this.bytes > this.maxBytes)) {
      this.events -= this.pages[gone]!.events.length;
      this.bytes -= this.pages[gone]!.bytes;
      gone++;
    }
    if (gone > 0) this.pages.splice(0, gone);
  }

  clear() {
    this.pages = [];
    this.events = this.bytes = 0;
  }

  /** Up to `limit` events that follow `position`, or undefined when they are not all in memory. */
  after(position: bigint, limit: number): { readonly events: readonly Recorded[]; readonly reached: bigint } | undefined {
    let at = this.firstBeyond(position);
    const first = this.pages[at];
    if (!first || first.after > position) return undefined;
    let events = first.after === position ? first.events : first.events.slice(Number(position - first.after));
    if (events.length < limit && at + 1 < this.pages.length) {
      const several = [...events];
      while (several.length < limit && ++at < this.pages.length) several.push(...this.pages[at]!.events);
      events = several;
    }
    if (events.length > limit) events = events.slice(0, limit);
    return { events, reached: events.at(-1)!.position };
  }

  /** Index of the first page that ends after `position`. */
  private firstBeyond(position: bigint): number {
    let low = 0;
    let high = this.pages.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.pages[middle]!.reached > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
