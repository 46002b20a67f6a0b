import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ProjectionsControl } from '@app/projections';
import { Pool } from 'pg';
import { testDatabase, type TestDatabase } from '../../../../test/database';
import { DEFAULT_THRESHOLDS, type LoadSample } from './backpressure.policy';
import { Backpressure } from './backpressure';
import { LoadPeaks } from './load-peaks';
import { LoadProbe, ProcessLoadProbe } from './load-probe';

type Status = Awaited<ReturnType<ProjectionsControl['status']>>[number];
const behind = (name: string, state: Status['state'], lagMs: number): Status => ({ name, state, lagMs, version: 1, generation: 1, position: 0n, lagEvents: 1n });

describe('The load of this process', () => {
  let database: TestDatabase;
  let pool: Pool;
  beforeAll(async () => {
    database = await testDatabase();
    pool = new Pool({ ...database, max: 2 });
    pool.on('error', () => undefined);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const probe = (statuses: readonly Status[] = [], db: Pick<Pool, 'query'> = pool) => new ProcessLoadProbe(db, { status: () => Promise.resolve(statuses) });
  const turns = async (count: number) => {
    for (let turn = 0; turn < count; turn++) await new Promise((next) => setTimeout(next, 1));
  };

  it('shows the delay of its event loop since the sample before', async () => {
    const busy = probe();
    for (let round = 0; round < 5; round++) {
      for (const until = performance.now() + 150; performance.now() < until; );
      await turns(1);
    }
    const sample = await busy.sample();
    expect(sample.eventLoopDelayMs).toBeGreaterThan(60);
    await turns(200);
    expect((await busy.sample()).eventLoopDelayMs).toBeLessThan(sample.eventLoopDelayMs / 2);
    busy.stop();
  });

  it('shows how long the database takes to answer', async () => {
    const slow = { query: () => pool.query('SELECT pg_sleep(0.12)') } as unknown as Pick<Pool, 'query'>;
    const [one, other] = [probe(), probe([], slow)];
    const samples = [await one.sample(), await other.sample()];
    expect(samples[1]!.databaseLatencyMs).toBeGreaterThanOrEqual(119);
    expect(samples[0]!.databaseLatencyMs).toBeLessThan(samples[1]!.databaseLatencyMs);
    for (const each of [one, other]) each.stop();
  });

  it('shows the lag of the live read model that is furthest behind', async () => {
    const lagging = probe([behind('a', 'live', 40), behind('b', 'live', 700), behind('c', 'paused', 9_000), behind('d', 'building', 9_000), behind('e', 'stopped', 9_000)]);
    const none = probe();
    expect([(await lagging.sample()).projectionLagMs, (await none.sample()).projectionLagMs]).toEqual([700, 0]);
    for (const each of [lagging, none]) each.stop();
  });

  it('[LOAD-007] is sampled every five seconds, and each of the three signals feeds backpressure', async () => {
    jest.useFakeTimers();
    const asked: ((sample: LoadSample) => void)[] = [];
    const peaks: unknown[] = [];
    const guard = new Backpressure({
      probe: new (class extends LoadProbe {
        override sample = () => new Promise<LoadSample>((answer) => asked.push(answer));
        override stop = () => undefined;
      })(),
      peaks: new LoadPeaks({ query: (_text: string, values?: unknown[]) => Promise.resolve({ rowCount: values && peaks.push(values) ? 1 : 0 }) } as never),
      executor: undefined as never, store: undefined as never, sites: () => Promise.resolve([]), thresholds: DEFAULT_THRESHOLDS, holdDownMs: 1, onError: () => undefined,
    });
    guard.start();
    const calm = { eventLoopDelayMs: 0, projectionLagMs: 0, databaseLatencyMs: 0 };
    const looks: readonly LoadSample[] = [calm, ...Object.keys(calm).map((signal) => ({ ...calm, [signal]: DEFAULT_THRESHOLDS[signal as keyof LoadSample] + 1 }))];
    for (const [nr, sample] of looks.entries()) {
      await jest.advanceTimersByTimeAsync(4_999);
      expect(asked).toHaveLength(nr);
      await jest.advanceTimersByTimeAsync(1);
      expect(asked).toHaveLength(nr + 1);
      asked[nr]!(sample);
      await jest.advanceTimersByTimeAsync(0);
      expect(peaks).toHaveLength(nr);
    }
    // A look that takes longer than the pause is not doubled.
    await jest.advanceTimersByTimeAsync(20_000);
    expect(asked).toHaveLength(looks.length + 1);
    asked.at(-1)!(calm);
    jest.useRealTimers();
    await guard.stop();
  });
});
