import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from './statistics.ts';

/** How many clients work at once, and for how long: what happens in the warm-up does not count. Times in milliseconds. */
export type LoopLoad = { readonly clients: number; readonly warmupMs: number; readonly roundMs: number };
export type LoopResult = { readonly perSecond: number; readonly p50: number; readonly p99: number; readonly clientCores: number };

/**
 * A closed loop: each client does its piece of work again as soon as the last one is done. `clientOf` gives the work of the client with that
 * number, counted from 0. A round lasts longer than it should until one piece of work at least was begun and done in it.
 */
export const closedLoop = async (
  { clients, warmupMs, roundMs }: LoopLoad,
  clientOf: (client: number) => () => Promise<void>,
): Promise<LoopResult> => {
  const begin = performance.now() + warmupMs;
  const end = begin + roundMs;
  const latencies: number[] = [];
  let done = 0;
  let last = end;
  const run = async (work: () => Promise<void>) => {
    for (let now = performance.now(); now < end || latencies.length === 0;) {
      await work();
      const then = performance.now();
      if (then >= begin && (then <= end || latencies.length === 0)) {
        done++;
        last = Math.max(last, then);
        if (now >= begin) latencies.push(then - now);
      }
      now = then;
    }
  };
  const cpu = cpuDuring(warmupMs, roundMs);
  await Promise.all(Array.from({ length: clients }, (_, client) => run(clientOf(client))));
  return { perSecond: done / ((last - begin) / 1000), ...percentilesOf(latencies), clientCores: await cpu };
};

export const percentilesOf = (latencies: readonly number[]): { readonly p50: number; readonly p99: number } => {
  const sorted = Float64Array.from(latencies).sort();
  return { p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
};

/** Cores that this process keeps busy in the measured part. */
const cpuDuring = async (warmupMs: number, roundMs: number): Promise<number> => {
  await sleep(warmupMs);
  const [before, from] = [process.cpuUsage(), performance.now()];
  await sleep(roundMs);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / (performance.now() - from);
};
