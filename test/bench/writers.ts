import { setTimeout as sleep } from 'node:timers/promises';
import { v7 } from 'uuid';
import { eventPair, type EventPair } from './payload.ts';
import { percentile } from './statistics.ts';

export type Load = { readonly writers: number; readonly warmupMs: number; readonly roundMs: number };
export type LoadResult = { readonly perSecond: number; readonly p50: number; readonly p99: number; readonly clientCores: number };

/** A stream at its version; `writer` counts from 0. Ids are UUIDv7, as in the product: they sort by time, which spares everybody's indexes. */
export type Target = { readonly writer: number; readonly itemId: string; readonly version: number };
/** Stores both events at once, durably, on condition that the stream still stands at `version`. */
export type Append = (target: Target, events: EventPair) => Promise<void>;

const EVENTS_PER_STREAM = 20;

/** A closed loop: each writer owns a stream, sends the next append when the last one was acknowledged, and begins a new stream after 20 events. */
export const runWriters = async ({ writers, warmupMs, roundMs }: Load, append: Append): Promise<LoadResult> => {
  const begin = performance.now() + warmupMs;
  const end = begin + roundMs;
  const latencies: number[] = [];
  let appends = 0;
  const writer = async (number: number) => {
    let target: Target = { writer: number, itemId: v7(), version: 0 };
    for (let now = performance.now(); now < end;) {
      const events = eventPair();
      await append(target, events);
      const done = performance.now();
      if (done >= begin && done <= end) {
        appends++;
        if (now >= begin) latencies.push(done - now);
      }
      now = done;
      const version = target.version + events.length;
      target = version < EVENTS_PER_STREAM ? { ...target, version } : { ...target, itemId: v7(), version: 0 };
    }
  };
  const cpu = cpuDuring(warmupMs, roundMs);
  await Promise.all(Array.from({ length: writers }, (_, number) => writer(number)));
  const sorted = Float64Array.from(latencies).sort();
  return { perSecond: appends / (roundMs / 1000), p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), clientCores: await cpu };
};

const cpuDuring = async (warmupMs: number, roundMs: number): Promise<number> => {
  await sleep(warmupMs);
  const [before, from] = [process.cpuUsage(), performance.now()];
  await sleep(roundMs);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (performance.now() - from);
};
