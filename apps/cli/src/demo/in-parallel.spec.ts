import { describe, expect, it } from '@jest/globals';
import { inParallel } from './in-parallel';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('Work in parallel', () => {
  it('does everything once and never more than the width at a time', async () => {
    const done: number[] = [];
    let running = 0;
    let most = 0;
    await inParallel(
      Array.from({ length: 50 }, (_, index) => index),
      8,
      async (item) => {
        most = Math.max(most, ++running);
        for (let waits = item % 5; waits >= 0; waits--) await turn();
        running--;
        done.push(item);
      },
    );
    expect(done.sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index));
    expect(most).toBe(8);
  });

  it('takes nothing new after an error, lets the rest end, and throws it', async () => {
    const ended: number[] = [];
    const work = inParallel([1, 2, 3, 4, 5, 6], 2, async (item) => {
      await turn();
      if (item === 2) throw new Error('two');
      ended.push(item);
    });
    await expect(work).rejects.toThrow('two');
    expect(ended).toContain(1);
    expect(ended).not.toContain(6);
  });
});
