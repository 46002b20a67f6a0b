import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Executor, PostgresEventStore, States } from '@app/event-store';
import { effectiveTool, governanceEvents } from '@app/governance/contract';
import { Catalogue } from '@app/kernel';
import { context } from '@app/kernel/testing';
import { incidentEvents } from '@app/trust/contract';
import { Pool } from 'pg';
import { testDatabase, type TestDatabase } from '../../../../test/database';
import { loadEvents } from '../load.events';
import { LoadGuardDeferrals } from '../load-guard-deferrals';
import { migrateLoadGuard } from '../migrate';
import { RateWindows } from '../rate-window/rate-windows';
import { Backpressure } from './backpressure';
import { DEFAULT_HOLD_DOWN_MS, DEFAULT_THRESHOLDS, type LoadSample } from './backpressure.policy';
import { LoadPeaks } from './load-peaks';
import { LoadProbe } from './load-probe';

const START = Date.parse('2030-01-01T10:00:00.000Z');
const SITES = ['site_a', 'site_b'];
const CALM: LoadSample = { eventLoopDelayMs: 1, projectionLagMs: 20, databaseLatencyMs: 1 };
const PEAK: LoadSample = { ...CALM, eventLoopDelayMs: 400 };

class SaidLoad extends LoadProbe {
  now: LoadSample = CALM;
  override sample = () => Promise.resolve(this.now);
  override stop = () => undefined;
}

describe('Backpressure, on PostgreSQL', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: PostgresEventStore;
  let seconds = 0;
  let errors: unknown[] = [];

  beforeAll(async () => {
    database = await testDatabase();
    pool = new Pool({ ...database, max: 10 });
    pool.on('error', () => undefined);
    await migrateLoadGuard(pool);
    store = await new PostgresEventStore({ connection: database, catalogue: new Catalogue(governanceEvents, incidentEvents, loadEvents) }).start();
    for (const siteId of SITES) {
      await store.append([{ streamId: `governance-${siteId}`, expected: 'none', events: [{ type: 'SiteCreated', data: { siteId, name: siteId } }] }], [], context({ siteId, commandId: siteId }));
    }
  });
  afterAll(async () => {
    await store.close();
    await pool.end();
    await database.drop();
  });

  const now = () => new Date(START + seconds * 1_000);
  const process = () => {
    const probe = new SaidLoad();
    const executor = new Executor(store, new States(store));
    const guard = new Backpressure({
      probe, peaks: new LoadPeaks(pool), executor, store, sites: () => Promise.resolve(SITES), thresholds: DEFAULT_THRESHOLDS, holdDownMs: DEFAULT_HOLD_DOWN_MS, now,
      onError: (error) => errors.push(error),
    });
    return { executor, look: (sample: LoadSample) => ((probe.now = sample), guard.look()) };
  };
  const told = async (category: string) => {
    const events: string[] = [];
    for await (const page of store.readAll(0n, { filter: { categories: [category] } })) events.push(...page.map(({ siteId, type }) => `${siteId} ${type}`));
    return events;
  };
  const both = (type: string) => SITES.map((siteId) => `${siteId} ${type}`);
  const tool = effectiveTool({
    definition: { name: 'updateItem', kind: 'skill', description: 'x', inputSchema: {}, requiredCapabilities: ['items:update'], risk: 'write', timeoutMs: 1, owner: 'core' }, override: {}, enabled: true,
  });
  const asked = (origin: string) => ({ siteId: 'site_b', runId: 'run_1', callId: 'call_1', tool, origin, intentId: null, maxWritesPerMinute: undefined, now: now() });

  it('[LOAD-010] [LOG-070] comes on once for every site when processes see the same peak at once, each time with one incident', async () => {
    const [one, two, three] = [process(), process(), process()];
    await one.look(CALM);
    expect(await told('load')).toEqual([]);
    await Promise.all([one.look(PEAK), two.look(PEAK), three.look(PEAK)]);
    expect((await told('load')).toSorted()).toEqual(both('BackpressureActivated'));
    expect((await told('incident')).toSorted()).toEqual(both('IncidentOpened'));
    for (seconds of [5, 10]) await two.look(PEAK);
    expect([(await told('load')).length, (await told('incident')).length, errors]).toEqual([2, 2, []]);
  });

  it('[LOAD-008] [LOAD-009] makes calls of the reconciler wait, and nobody else\'s', async () => {
    const { executor } = process();
    const deferrals = new LoadGuardDeferrals(executor, new RateWindows(pool));
    expect(await deferrals.of(asked('reconciler'))).toEqual({ reason: 'backpressure', rule: 'load_guard', retryAfterMs: 50_000 });
    for (const origin of ['user', 'planner', 'flow']) expect(await deferrals.of(asked(origin))).toBeNull();
  });

  it('[LOAD-011] is released after 60 s of calm in every process, and a peak in any of them starts that anew', async () => {
    const [one, two] = [process(), process()];
    for (seconds of [15, 60, 69]) await one.look(CALM);
    expect((await told('load')).length).toBe(2);
    await two.look({ ...CALM, databaseLatencyMs: 2_001 });
    for (seconds of [70, 100, 128]) await one.look(CALM);
    expect((await told('load')).length).toBe(2);
    seconds = 129;
    await Promise.all([one.look(CALM), two.look(CALM)]);
    expect((await told('load')).slice(2).toSorted()).toEqual(both('BackpressureReleased'));
    const { executor } = process();
    expect(await new LoadGuardDeferrals(executor, new RateWindows(pool)).of(asked('reconciler'))).toBeNull();
  });

  it('[LOAD-010] opens a new incident when it comes on again, whoever has been calm meanwhile', async () => {
    const restarted = process();
    seconds = 200;
    await restarted.look({ ...CALM, projectionLagMs: 31_000 });
    await process().look(CALM);
    expect([(await told('load')).length, (await told('incident')).length, errors]).toEqual([6, 4, []]);
    errors = [];
  });

  it('counts a peak that comes while sites are released: it is not lost between the two', async () => {
    seconds = 300;
    for (let round = 0; round < 20; round++) {
      const [calm, pressed] = [process(), process()];
      await Promise.all([calm.look(CALM), pressed.look(PEAK)]);
      const { executor } = process();
      expect(await new LoadGuardDeferrals(executor, new RateWindows(pool)).of(asked('reconciler'))).toMatchObject({ reason: 'backpressure' });
      seconds += 61;
    }
  });
});
