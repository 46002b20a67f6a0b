import type { Context, Event, Problem, Recorded } from '@app/kernel';

/** A number is the stream's last version (0: it must not exist yet, like `none`). */
export type ExpectedVersion = number | 'none' | 'any';

/** An event to append. Without `eventId` the log gives a UUIDv7; without `schemaVersion` the newest version is meant. */
export type NewEvent = Event & { readonly schemaVersion?: number; readonly eventId?: string };

export type StreamWrite = { readonly streamId: string; readonly expected: ExpectedVersion; readonly events: readonly NewEvent[] };

/** Asserts that a stream which is not written still stands at `version` (0: it does not exist). */
export type Guard = { readonly streamId: string; readonly version: number };

/** `position` is that of the last event written; `repeated` tells that this command id had been appended before. */
export type Appended = {
  readonly ok: true;
  readonly position: bigint;
  readonly versions: Readonly<Record<string, number>>;
  readonly repeated: boolean;
};

/**
 * Why nothing was written.
 * `conflict`: a written stream or a guarded one has moved; load, decide again. `invalid`: the events can never be written.
 * `overloaded`: the queue is full; nothing was or will be stored. `unavailable`: the database cannot be reached; nothing was stored.
 */
export type AppendFailure =
  | { readonly ok: false; readonly kind: 'conflict'; readonly streamId: string; readonly expected: ExpectedVersion; readonly actual: number }
  | { readonly ok: false; readonly kind: 'invalid'; readonly problems: readonly Problem[] }
  | { readonly ok: false; readonly kind: 'overloaded' }
  | { readonly ok: false; readonly kind: 'unavailable'; readonly detail: string };

export type AppendResult = Appended | AppendFailure;

/** Every given condition must hold. */
export type EventFilter = {
  readonly siteId?: string;
  readonly streamId?: string;
  readonly categories?: readonly string[];
  readonly types?: readonly string[];
};

export type ReadOptions = { readonly filter?: EventFilter; readonly signal?: AbortSignal; readonly pageSize?: number };

/** The one port between the domain and the log. Every adapter passes the same contract suite. */
export abstract class EventStore {
  /** Writes to several streams or to none of them; guards are checked in the same transaction. Never rejects for an expected failure. */
  abstract append(writes: readonly StreamWrite[], guards: readonly Guard[], context: Context): Promise<AppendResult>;

  /** What an earlier append of this repeatable command answered; null when there was none. */
  abstract recorded(context: Pick<Context, 'commandId' | 'repeatable'>): Promise<Appended | null>;

  /** Events of one stream in version order, from `fromVersion` (default 1) on. Pages behind the scenes: memory stays flat. */
  abstract read(streamId: string, fromVersion?: number): AsyncIterable<Recorded>;

  /** Pages of matching events with position > `after`, in position order, up to the head at the time of the call. */
  abstract readAll(after: bigint, options?: ReadOptions): AsyncIterable<readonly Recorded[]>;

  /** Like `readAll`, then goes on with new events as they are committed, until the signal aborts or the store closes. */
  abstract follow(after: bigint, options?: ReadOptions): AsyncIterable<readonly Recorded[]>;

  /** Position of the last committed event; 0 for an empty log. */
  abstract head(): Promise<bigint>;

  /** Last version of each given stream; 0 where there is none. One round trip. */
  abstract versions(streamIds: readonly string[]): Promise<ReadonlyMap<string, number>>;

  abstract close(): Promise<void>;
}
