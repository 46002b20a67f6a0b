import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Pool } from 'pg';
import { testDatabase, type TestDatabase } from '../../../../test/database';
import { migrateLoadGuard } from '../migrate';
import { RateWindows } from './rate-windows';

const START = Date.parse('2030-01-01T10:00:00.000Z');
const at = (ms: number) => new Date(START + ms);
const MINUTE = 60_000;

describe('Sliding windows, on PostgreSQL', () => {
  let database: TestDatabase;
  let pools: Pool[];
  /** One per process. */
  let processes: RateWindows[];
  let keys = 0;

  beforeAll(async () => {
    database = await testDatabase();
    pools = [0, 1].map(() => new Pool({ ...database, max: 8 }));
    for (const pool of pools) pool.on('error', () => undefined);
    await migrateLoadGuard(pools[0]!);
    await migrateLoadGuard(pools[1]!);
    processes = pools.map((pool) => new RateWindows(pool));
  });
  afterAll(async () => {
    for (const pool of pools) await pool.end();
    await database.drop();
  });

  const window = (limit: number, windowMs = MINUTE) => ({ key: `key-${keys++}`, limit, windowMs });

  it('give two processes that race for the last slots exactly as many as there are', async () => {
    for (let round = 0; round < 20; round++) {
      const shared = window(3);
      await processes[0]!.take([shared], 'before', at(0));
      const answers = await Promise.all(Array.from({ length: 16 }, (_, nr) => processes[nr % 2]!.take([shared], `call-${nr}`, at(10))));
      expect(answers.filter((answer) => answer === null)).toHaveLength(2);
      expect(answers.find((answer) => answer !== null)).toEqual({ key: shared.key, retryAfterMs: MINUTE - 10 });
    }
  });

  it('take nothing anywhere when one of several is full, and name the one with the longest wait', async () => {
    const [wide, narrow] = [window(5), window(1, 1_000)];
    expect(await processes[0]!.take([wide, narrow], 'a', at(0))).toBeNull();
    for (const ref of ['b', 'c', 'd', 'e', 'f', 'g']) expect(await processes[0]!.take([wide, narrow], ref, at(100))).toEqual({ key: narrow.key, retryAfterMs: 900 });
    for (const ref of ['h', 'i', 'j', 'k']) expect(await processes[0]!.take([wide], ref, at(200))).toBeNull();
    expect(await processes[0]!.take([narrow, wide], 'l', at(300))).toEqual({ key: wide.key, retryAfterMs: MINUTE - 300 });
  });

  it('give a call that asks again the slot it has, and a new one when that is outlived', async () => {
    const one = window(1);
    for (const ms of [0, 1, MINUTE - 1]) expect(await processes[0]!.take([one], 'same', at(ms))).toBeNull();
    expect(await processes[1]!.take([one], 'other', at(MINUTE - 1))).toEqual({ key: one.key, retryAfterMs: 1 });
    expect(await processes[0]!.take([one], 'same', at(MINUTE))).toBeNull();
    expect(await processes[1]!.take([one], 'other', at(MINUTE))).toEqual({ key: one.key, retryAfterMs: MINUTE });
  });

  it('keep no more rows than are in force', async () => {
    const { rows: before } = await pools[0]!.query<{ n: number }>('SELECT count(*)::int AS n FROM rate_slot');
    for (let nr = 0; nr < 60; nr++) await processes[0]!.take([window(1, 10)], 'x', at(10 * MINUTE + nr * 100));
    const { rows } = await pools[0]!.query<{ n: number }>('SELECT count(*)::int AS n FROM rate_slot');
    expect(before[0]!.n).toBeGreaterThan(60);
    expect(rows[0]!.n).toBeLessThan(5);
  });

  it('count a call that makes many records as many, and never let one in that is larger than the window', async () => {
    const batches = { ...window(1_000), slots: 400 };
    for (const ref of ['first', 'second', 'first']) expect(await processes[0]!.take([batches], ref, at(0))).toBeNull();
    expect(await processes[1]!.take([batches], 'third', at(1_000))).toEqual({ key: batches.key, retryAfterMs: MINUTE - 1_000 });
    expect(await processes[1]!.take([{ ...batches, slots: 200 }], 'less', at(1_000))).toBeNull();
    expect(await processes[0]!.take([{ ...batches, slots: 1 }], 'one', at(2_000))).toEqual({ key: batches.key, retryAfterMs: MINUTE - 2_000 });
    expect(await processes[0]!.take([batches], 'third', at(MINUTE))).toBeNull();
    for (const ms of [0, 2 * MINUTE, 9 * MINUTE]) expect(await processes[0]!.take([{ ...batches, slots: 1_001 }], 'too large', at(ms))).toEqual({ key: batches.key, retryAfterMs: MINUTE });
  });

  it('[LOAD-004] [LOAD-005] never let more than the limit into any stretch of a window, and say to the millisecond when there is room', async () => {
    const scenario = fc.record({ limit: fc.integer({ min: 1, max: 4 }), pauses: fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 12 }) });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ limit, pauses }) => {
        const narrow = window(limit, 1_000);
        const admitted: number[] = [];
        const ask = async (now: number) => {
          const full = await processes[now % 2]!.take([narrow], `call-${now}-${admitted.length}`, at(now));
          if (!full) admitted.push(now);
          return full;
        };
        let now = MINUTE * 20;
        for (const pause of pauses) {
          now += pause;
          const full = await ask(now);
          if (!full) continue;
          expect(await ask(now + full.retryAfterMs - 1)).toEqual({ key: narrow.key, retryAfterMs: 1 });
          now += full.retryAfterMs;
          expect(await ask(now)).toBeNull();
        }
        for (const first of admitted) expect(admitted.filter((other) => other >= first && other < first + 1_000).length).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 100 },
    );
  });
});
