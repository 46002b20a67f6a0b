import { describe, expect, it } from '@jest/globals';
import { SLICES, sliceOf } from './slices';

describe('slices of the log', () => {
  it('never move a stream: these were written down when the hash was chosen', () => {
    const pinned = { 'run-1': 10, 'run-2': 11, 'goal-0198c0de': 22, 'governance-site_1': 10, 'approval-ä': 2, '': 5 };
    expect(Object.fromEntries(Object.keys(pinned).map((id) => [id, sliceOf(id)]))).toEqual(pinned);
  });

  it('spread sequential and time-ordered ids evenly: no slice is 20 % off the mean of 2 000 streams', () => {
    const ids = Array.from({ length: 2_000 * SLICES }, (_, n) =>
      n % 2 ? `run-${n}` : `run-run_0198c0de7000${n.toString(16).padStart(20, '0')}`,
    );
    const sizes = Array.from({ length: SLICES }, () => 0);
    for (const id of ids) sizes[sliceOf(id)]!++;
    expect(Math.min(...sizes)).toBeGreaterThan(1_600);
    expect(Math.max(...sizes)).toBeLessThan(2_400);
  });
});
