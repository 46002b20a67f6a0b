import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, or stops waiting when told to. */
export const sleepUntil = async (ms: number, signal: AbortSignal): Promise<void> => {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
};
