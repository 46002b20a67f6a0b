import { v7 } from 'uuid';
import { closedLoop, type LoopResult } from './closed-loop.ts';
import { eventPair, type EventPair } from './payload.ts';

export type Load = { readonly writers: number; readonly warmupMs: number; readonly roundMs: number };
export type LoadResult = LoopResult;

/** A stream at its version; `writer` counts from 0. Ids are UUIDv7, as in the product: they sort by time, which spares everybody's indexes. */
export type Target = { readonly writer: number; readonly itemId: string; readonly version: number };
/** Stores both events at once, durably, on condition that the stream still stands at `version`. */
export type Append = (target: Target, events: EventPair) => Promise<void>;

const EVENTS_PER_STREAM = 20;

/** A closed loop: each writer owns a stream, sends the next append when the last one was acknowledged, and begins a new stream after 20 events. */
export const runWriters = ({ writers, warmupMs, roundMs }: Load, append: Append): Promise<LoadResult> =>
  closedLoop({ clients: writers, warmupMs, roundMs }, (writer) => {
    let target: Target = { writer, itemId: v7(), version: 0 };
    return async () => {
      const events = eventPair();
      await append(target, events);
      const version = target.version + events.length;
      target = version < EVENTS_PER_STREAM ? { ...target, version } : { ...target, itemId: v7(), version: 0 };
    };
  });
