import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { liveIterator } from './live-iterator';

/** Gives what it is given, then waits until its reader leaves. */
async function* patient(values: readonly number[], signal: AbortSignal): AsyncGenerator<number> {
  yield* values;
  if (!signal.aborted) await once(signal, 'abort');
}

describe('What a subscriber reads', () => {
  const never = new AbortController().signal;
  const opened = (values: readonly number[], stopping = never) => {
    let ends = 0;
    const iterator = liveIterator((signal) => patient(values, signal), stopping, () => ends++);
    return { iterator, ends: () => ends };
  };

  it('ends at once when the subscriber leaves, also while it waits', async () => {
    const { iterator, ends } = opened([1]);
    expect(await iterator.next()).toEqual({ done: false, value: 1 });
    const waiting = iterator.next();
    await iterator.return!();
    expect([await waiting, await iterator.next(), ends()]).toEqual([{ done: true, value: undefined }, { done: true, value: undefined }, 1]);
  });

  it('ends when the server stops', async () => {
    const stopping = new AbortController();
    const { iterator, ends } = opened([], stopping.signal);
    const waiting = iterator.next();
    stopping.abort();
    expect([await waiting, ends()]).toEqual([{ done: true, value: undefined }, 1]);
  });

  it('ends with the failure of its source', async () => {
    let ends = 0;
    const iterator = liveIterator(async function* () { throw new Error('The log is gone'); }, never, () => ends++);
    await expect(iterator.next()).rejects.toThrow('The log is gone');
    expect([await iterator.next(), ends]).toEqual([{ done: true, value: undefined }, 1]);
  });
});
