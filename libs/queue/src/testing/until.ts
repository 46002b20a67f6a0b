import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a condition; fails with what was last seen when it does not come true in time. */
export const until = async <T>(look: () => T | Promise<T>, holds: (seen: T) => boolean, ms = 15_000): Promise<T> => {
  for (const deadline = performance.now() + ms; ; await sleep(3)) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (performance.now() > deadline) throw new Error(`Not in ${ms} ms; last seen: ${JSON.stringify(seen)}`);
  }
};
