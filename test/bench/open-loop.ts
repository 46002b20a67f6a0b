import { setTimeout as sleep } from 'node:timers/promises';
import { percentilesOf } from './closed-loop.ts';

export type OpenLoad = { readonly perSecond: number; readonly warmupMs: number; readonly roundMs: number };

/**
 * Work is begun at a fixed rate whatever becomes of it, and its time counts from the moment it was due: a stall is felt by everything that was
 * due meanwhile.
 */
export const openLoop = async ({ perSecond, warmupMs, roundMs }: OpenLoad, work: (number: number) => Promise<void>) => {
  const begin = performance.now();
  const interval = 1000 / perSecond;
  const total = Math.floor((warmupMs + roundMs) / interval);
  const latencies: number[] = [];
  const open: Promise<void>[] = [];
  const one = async (number: number) => {
    const due = begin + number * interval;
    await work(number);
    if (due >= begin + warmupMs) latencies.push(performance.now() - due);
  };
  for (let sent = 0; sent < total;) {
    for (; sent < total && begin + sent * interval <= performance.now(); sent++) open.push(one(sent));
    await sleep(1);
  }
  await Promise.all(open);
  return { perSecond, ...percentilesOf(latencies) };
};
