import { describe, expect, it } from '@jest/globals';
import { closedLoop } from './closed-loop';

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

describe('A closed loop', () => {
  it('has every client at work, one piece after the other', async () => {
    let most = 0;
    const result = await closedLoop({ clients: 3, warmupMs: 5, roundMs: 60 }, () => {
      let atOnce = 0;
      return async () => {
        most = Math.max(most, ++atOnce);
        await later(1);
        atOnce--;
      };
    });
    expect(most).toBe(1);
    expect(result.perSecond).toBeGreaterThan(0);
    expect(result.p50).toBeGreaterThan(0.5);
    expect(result.p99).toBeGreaterThanOrEqual(result.p50);
  });

  it('goes on until one piece of work was done in it, and counts its whole time', async () => {
    const result = await closedLoop({ clients: 1, warmupMs: 0, roundMs: 1 }, () => () => later(40));
    expect(result.perSecond).toBeLessThan(30);
    expect(result.p50).toBeGreaterThan(35);
  });

  it('passes on what went wrong', async () => {
    await expect(closedLoop({ clients: 1, warmupMs: 0, roundMs: 5 }, () => () => Promise.reject(new Error('no answer')))).rejects.toThrow(
      'no answer',
    );
  });
});
