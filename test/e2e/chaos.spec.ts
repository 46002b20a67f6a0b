import { beforeAll, describe, expect, it } from '@jest/globals';
import { soak, type SoakResult } from '../chaos/soak';

/** `npm run chaos` does 200 rounds; this is long enough to notice that something broke. */
const ROUNDS = 6;

describe(`${ROUNDS} rounds of kill -9 on gateways, workers and PostgreSQL, under load`, () => {
  let result: SoakResult;
  beforeAll(async () => {
    result = await soak({ rounds: ROUNDS, seconds: 45, seed: 7, clients: 4 });
    const { rounds, seconds, faults, events, calls, acknowledged } = result;
    process.stdout.write(`${rounds} rounds in ${seconds} s, ${JSON.stringify(faults)}, ${events} events, ${calls} calls, ${acknowledged} acknowledged writes\n`);
  }, 240_000);

  it('leave nothing to complain of', () => {
    expect(result.checks.filter(({ violations }) => violations.length > 0)).toEqual([]);
  });

  it('were rounds under load, with something to check', () => {
    expect(result.rounds).toBeGreaterThan(0);
    expect(result.acknowledged).toBeGreaterThanOrEqual(result.rounds * 5);
    expect(result.calls).toBeGreaterThan(0);
    expect(result.readModels).toBeGreaterThan(10);
  });
});
