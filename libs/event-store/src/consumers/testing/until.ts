import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for a condition; fails with what was last seen when it does not come true in time. */
export const until = async <T>(look: () => T | Promise<T>, holds: (seen: T) => boolean, ms = 10_000): Promise<T> => {
  const deadline = performance.now() + ms;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (performance.now() > deadline)
      throw new Error(`Not in ${ms} ms; last seen: ${JSON.stringify(seen, (_, v: unknown) => (typeof v === 'bigint' ? `${v}` : v))}`);
    await sleep(3);
  }
};

/** A point at which the test holds a handler back until `open`. */
export const gate = () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: reached, resolve: arrive } = Promise.withResolvers<void>();
  return { open, reached, pass: () => (arrive(), opened) };
};
