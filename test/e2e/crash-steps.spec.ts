import { beforeAll, describe, expect, it } from '@jest/globals';
import { crashAtAll, STEPS, type Stepped } from '../chaos/crash-steps';
import { serverDatabase } from '../database';

describe('A process killed between two steps of a queued call', () => {
  let all: readonly Stepped[];
  beforeAll(async () => {
    all = await crashAtAll(serverDatabase, 5);
    for (const { step, tool, killed, found } of all) process.stdout.write(`${tool}: ${killed} killed between ${step}: run ${found.status}, call ${found.call ?? 'none'}, received ${found.received}\n`);
  }, 300_000);

  it.each(STEPS.map(({ between, tool }, nr) => [between.join(' | '), tool, nr] as const))('[RELI-002] %s, %s: no finished call ran twice, and none was lost', (_step, _tool, nr) => {
    expect(all[nr]!.found).toEqual(STEPS[nr]!.expected);
  });
});
