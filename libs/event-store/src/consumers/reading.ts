import { setTimeout as sleep } from 'node:timers/promises';
import type { Recorded } from '@app/kernel';
import { Condition } from '../condition';
import { LogGap } from '../errors';
import type { EventFilter, EventStore } from '../event-store';
import type { Lane } from './lane';
import { sliceOf } from './slices';
import type { Alarm } from './subscribing';

/** Between failed readings; doubles each time. */
const MIN_PAUSE_MS = 200;
const MAX_PAUSE_MS = 30_000;

export type ReadingParts = {
  readonly store: EventStore;
  readonly name: string;
  readonly filter: EventFilter | undefined;
  readonly sliced: boolean;
  readonly lanes: () => readonly Lane[];
  readonly alarm: (alarm: Alarm) => void;
};

/**
 * Reads the log once for all lanes of a subscription and deals the events out. One run is a generation: whenever a lane needs the log from
 * elsewhere a new one begins at the lane furthest behind, and what an older generation still delivers is thrown away.
 */
export class Reading {
  private generation = new AbortController();
  private readonly room = new Condition();
  private failures = 0;

  constructor(private readonly parts: ReadingParts) {}

  restart(): void {
    this.stop();
    this.generation = new AbortController();
    void this.follow(this.generation.signal);
  }

  stop(): void {
    this.generation.abort();
  }

  /** A lane has room again, or left. */
  progressed(): void {
    this.room.notifyAll();
  }

  private async follow(signal: AbortSignal): Promise<void> {
    const { store, name, filter, alarm } = this.parts;
    const [first, ...others] = this.readers().map(({ scanned }) => scanned);
    if (first === undefined) return;
    let last = others.reduce((least, position) => (position < least ? position : least), first);
    try {
      for await (const page of store.follow(last, { ...(filter && { filter }), signal })) {
        if (signal.aborted) return;
        this.failures = 0;
        proveContinuity(page, last, filter === undefined);
        last = page.at(-1)?.position ?? last;
        this.deal(page, last);
        while (!signal.aborted && this.readers().some(({ full }) => full)) await this.room.after(this.room.changes, { signal });
        if (signal.aborted) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      alarm({ kind: error instanceof LogGap ? 'gap' : 'interrupted', consumer: name, error });
      await sleep(Math.min(MAX_PAUSE_MS, MIN_PAUSE_MS * 2 ** this.failures++), undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) this.restart();
    }
  }

  private readers() {
    return this.parts.lanes().filter(({ wantsEvents }) => wantsEvents);
  }

  private deal(page: readonly Recorded[], scanned: bigint) {
    const shares = Map.groupBy(page, ({ streamId }) => (this.parts.sliced ? sliceOf(streamId) : 0));
    for (const lane of this.readers()) lane.offer(shares.get(lane.lease.slice) ?? [], scanned);
  }
}

/** Positions are dense, so a whole log proves by arithmetic that nothing was left out; a filtered one must at least rise. */
const proveContinuity = (page: readonly Recorded[], last: bigint, whole: boolean) => {
  for (const { position } of page) {
    if (whole ? position !== last + 1n : position <= last) throw new LogGap(last + 1n, position);
    last = position;
  }
};
