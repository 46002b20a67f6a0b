import type { Recorded } from '@app/kernel';
import { Condition } from './condition';
import { LogGap, StoreUnavailable } from './errors';
import { matcherOf } from './event-filter';
import type { ReadOptions } from './event-store';
import { DEFAULT_PAGE_SIZE, type LogSource } from './log-source';
import { RecentPages, type RecentPagesOptions } from './recent-pages';

export type LogReaderOptions = RecentPagesOptions & {
  /** Pause between two looks at the log when nobody wakes the reader: it doubles from `min` to `max` while nothing comes. `null`: never look. */
  readonly poll?: { readonly minMs: number; readonly maxMs: number } | null;
  /** Told when the log has a gap or an event that cannot be read, and once per outage when the database cannot be reached. */
  readonly onAlarm?: (error: Error) => void;
  /** Events after which nothing that was read before is handed out from memory. */
  readonly makesForget?: ((event: Recorded) => boolean) | undefined;
};

const READ_AHEAD = 2_000;

/**
 * Tails the log once for all followers of the process. Followers near the head take pages from memory; one that falls behind, or begins far
 * behind, reads with a cursor of its own until it meets the pages in memory. Nothing is buffered per follower: each asks when it is ready.
 * Everything goes by position, so the hand-over can neither leave out nor repeat an event.
 */
export class LogReader {
  private readonly recent: RecentPages;
  private readonly moved = new Condition();
  private readonly woken = new Condition();
  private readonly poll: LogReaderOptions['poll'];
  private readonly onAlarm: (error: Error) => void;
  private readonly makesForget: (event: Recorded) => boolean;
  private followers = 0;
  private tail: bigint | null = null;
  private failure: Error | null = null;
  private running = false;
  private closed = false;

  constructor(
    private readonly source: LogSource,
    private readonly head: () => Promise<bigint>,
    { poll = { minMs: 50, maxMs: 1_000 }, onAlarm = ({ name, message }) => process.emitWarning(message, name), makesForget = () => false, ...recent }: LogReaderOptions = {},
  ) {
    this.recent = new RecentPages(recent);
    this.poll = poll;
    this.onAlarm = onAlarm;
    this.makesForget = makesForget;
  }

  /** There may be something new. */
  wake() {
    this.woken.notifyAll();
  }

  close() {
    this.closed = true;
    this.woken.notifyAll();
    this.moved.notifyAll();
  }

  async *follow(after: bigint, { filter, signal, pageSize = DEFAULT_PAGE_SIZE }: ReadOptions = {}): AsyncGenerator<readonly Recorded[], void, undefined> {
    const matches = matcherOf(filter);
    let position = after;
    if (this.followers++ === 0 && !(this.failure instanceof LogGap)) this.failure = null;
    this.run();
    try {
      while (!signal?.aborted && !this.closed) {
        if (this.failure) throw this.failure;
        const seen = this.moved.changes;
        if (this.tail === null || position >= this.tail) {
          await this.moved.after(seen, { signal });
          continue;
        }
        const page = this.recent.after(position, pageSize) ?? (await this.pageBehind(position, pageSize, filter, signal));
        position = page.reached;
        const events = matches ? page.events.filter(matches) : page.events;
        if (events.length > 0) yield events;
      }
    } finally {
      if (--this.followers === 0) this.wake();
    }
  }

  private async pageBehind(after: bigint, limit: number, filter: ReadOptions['filter'], signal: AbortSignal | undefined) {
    try {
      return await this.source.page({ after, limit, ...(filter && { filter }) });
    } catch (error) {
      if (error instanceof LogGap) this.onAlarm(error);
      if (!(error instanceof StoreUnavailable)) throw error;
      await this.moved.after(this.moved.changes, { ms: this.poll?.maxMs, signal });
      return { events: [], reached: after };
    }
  }

  private run() {
    if (this.running) return;
    this.running = true;
    void this.tailLog().finally(() => {
      this.running = false;
      if (this.followers > 0 && !this.closed && !this.failure) this.run();
    });
  }

  /** Runs while somebody follows. Begins at the head: what is older, followers read by themselves. */
  private async tailLog(): Promise<void> {
    let pause = this.poll?.minMs;
    let isReachable = true;
    this.recent.clear();
    this.tail = null;
    while (this.followers > 0 && !this.closed) {
      const seen = this.woken.changes;
      try {
        const { moved, more } = await this.advance();
        isReachable = true;
        if (moved) pause = this.poll?.minMs;
        if (more) continue;
      } catch (error) {
        if (isReachable) this.onAlarm(error as Error);
        isReachable = false;
        if (!(error instanceof StoreUnavailable)) return this.fail(error as Error);
      }
      await this.woken.after(seen, { ms: pause });
      if (this.poll && pause !== undefined) pause = this.woken.changes === seen ? Math.min(2 * pause, this.poll.maxMs) : this.poll.minMs;
    }
  }

  /** `more`: the log goes on behind this page. What is committed later wakes the reader, so it is not asked for in vain. */
  private async advance(): Promise<{ readonly moved: boolean; readonly more: boolean }> {
    if (this.tail === null) {
      this.tail = await this.head();
      this.moved.notifyAll();
    }
    const page = await this.source.page({ after: this.tail, limit: READ_AHEAD });
    if (page.reached === this.tail) return { moved: false, more: false };
    if (page.events.some(this.makesForget)) this.recent.clear();
    else this.recent.add(this.tail, page);
    this.tail = page.reached;
    this.moved.notifyAll();
    return { moved: true, more: page.reached < page.head };
  }

  private fail(error: Error) {
    this.failure = error;
    this.moved.notifyAll();
  }
}
