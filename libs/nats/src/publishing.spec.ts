import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Recorded } from '@app/kernel';
import { Publishing } from './publishing';

/** A stream that takes every message and acknowledges it when it is told to. */
const slowStream = () => {
  const acknowledgements: (() => void)[] = [];
  return {
    acknowledgements,
    tail: () => Promise.resolve({ sequence: 0 }),
    takes: () => true,
    take: () => Promise.resolve(),
    messageOf: ({ eventId, position, siteId }: { eventId: string; position: bigint; siteId: string }) => ({ subject: siteId, eventId, position, payload: new Uint8Array(10) }),
    publish: () => new Promise<void>((done) => acknowledgements.push(done)),
  };
};

/** A log of these positions, followed until somebody has enough. */
const logOf = (positions: readonly bigint[]) => ({
  async *follow(_after: bigint, { signal }: { signal?: AbortSignal } = {}) {
    yield positions.map((position) => ({ position, eventId: `evt_${position}`, siteId: 'site_a' }) as Recorded);
    while (!signal?.aborted) await setImmediate();
  },
  async *readAll() {
    yield [];
  },
});

describe('Publishing that is told to end', () => {
  // A wait that never gives the turn away would stop this process with the test in it: the runner tells of a file that does not end.
  it('lets the acknowledgements of what is under way come in, and counts them', async () => {
    const store = logOf([1n, 2n]);
    const stream = slowStream();
    const reached: bigint[] = [];
    const publishing = new Publishing({ store, stream, acknowledged: (position) => reached.push(position) });
    const stopping = new AbortController();
    const running = publishing.run(0n, stopping.signal);
    while (stream.acknowledgements.length < 2) await setImmediate();
    stopping.abort();
    await running.catch(() => undefined);
    let isSettled = false;
    const settled = publishing.settled().then(() => (isSettled = true));
    // An answer comes from the network, in a turn of its own.
    await setImmediate();
    stream.acknowledgements[0]!();
    await setImmediate();
    expect([isSettled, reached]).toEqual([false, [0n, 1n]]);
    stream.acknowledgements[1]!();
    await settled;
    expect(reached).toEqual([0n, 1n, 2n]);
  });
});
