import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { Consumers, Executor, Leases, PostgresEventStore, States } from '@app/event-store';
import { goal } from '@app/goals/contract';
import { accept } from '@app/kernel';
import { migrateDeadlines } from '@app/scheduler';
import { eventually } from '../../../test/e2e/eventually';
import { testDatabase, type TestDatabase } from '../../../test/database';
import { ItemPages } from './cycle/item-pages';
import { NoOutsideLinks } from './cycle/link-checker';
import { Reconciler } from './reconciler';
import { at, catalogue, contextAt, goalsIn, itemId, ofIntent, processOn, siteWith } from './testing/intent-world';

const ITEMS = 6;

/** Articles without a title, as a read model that is behind would list them. */
class SomePages extends ItemPages {
  override caughtUp = () => Promise.resolve();
  override after = (_siteId: string, _collection: string, after: string | null) =>
    Promise.resolve(Array.from({ length: ITEMS }, (_, nr) => ({ id: itemId(nr), data: {}, updatedAt: at(0).toISOString() })).filter(({ id }) => after === null || id > after));
}

describe('The reconciler, on PostgreSQL', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: PostgresEventStore;
  const clock = { minute: 0 };
  const errors: unknown[] = [];

  beforeAll(async () => {
    const { drop, ...connection } = (database = await testDatabase());
    pool = new Pool({ ...connection, max: 12 });
    pool.on('error', () => undefined);
    await migrateDeadlines(pool);
    store = await new PostgresEventStore({ connection, catalogue }).start();
    await siteWith(store, Array.from({ length: ITEMS }, () => ({ body: 'x' })));
  });
  afterAll(async () => {
    await store.close();
    await pool.end();
    await database.drop();
  });

  /** A worker process: its own warm states, its own leases, one clock for all. */
  const worker = () => {
    const consumers = new Consumers(store, pool, new Leases(pool));
    const reconciler = new Reconciler({
      db: pool, consumers, store, executor: new Executor(store, new States(store)), pages: new SomePages(), links: new NoOutsideLinks(), onError: (error) => errors.push(error), now: () => at(clock.minute), pollMs: 20,
    });
    reconciler.start();
    return {
      stop: async () => {
        await reconciler.stop();
        await consumers.stop();
      },
    };
  };
  const rows = async () => (await pool.query<{ key: string; due_ms: string }>(`SELECT key, due_ms FROM deadline WHERE scheduler = 'intent-cycles'`)).rows.map(({ key, due_ms: due }) => [key, Number(due)]);
  const cycles = async () => (await ofIntent(store)).filter(({ type }) => type === 'DriftScanFinished').length;

  it('runs one cycle per firing with two workers, makes at most so many goals, resolves what a goal repaired, and takes up what came due while nobody ran', async () => {
    const here = processOn(store, clock);
    const { id } = await here.declare({ schedule: '30 * * * *', budget: { maxGoalsPerCycle: 2 } });
    const both = [worker(), worker()];
    expect(await eventually(rows, (found) => found.length === 1)).toEqual([[id, at(30).getTime()]]);
    expect(await cycles()).toBe(0);
    clock.minute = 31;
    await eventually(cycles, (count) => count === 1);
    expect(await eventually(rows, ([row]) => row?.[1] === at(90).getTime())).toEqual([[id, at(90).getTime()]]);
    expect((await ofIntent(store)).filter(({ type }) => type === 'DriftScanStarted')).toMatchObject([{ data: { trigger: 'schedule', dueAt: at(30).toISOString() } }]);
    const goals = await goalsIn(store);
    expect(goals).toHaveLength(2);

    const [, repaired] = /:(item_\w+):/.exec(goals[0]!.driftFingerprint!)!;
    await here.edit(Number.parseInt(repaired!.slice(5), 16), { title: 'There' });
    await here.executor.execute({ goal: { aggregate: goal, id: goals[0]!.goalId } }, contextAt(31), () =>
      accept({ goal: [{ type: 'GoalStarted' as const, data: { runId: 'run_1' } }, { type: 'GoalSettled' as const, data: { status: 'completed' as const } }] }),
    );
    const resolved = await eventually(async () => (await ofIntent(store)).filter(({ type }) => type === 'DriftResolved'), ({ length }) => length > 0);
    expect(resolved).toMatchObject([{ data: { fingerprint: goals[0]!.driftFingerprint, goalId: goals[0]!.goalId, resolution: 'repaired' } }]);

    await Promise.all(both.map(({ stop }) => stop()));
    clock.minute = 400;
    const later = [worker(), worker()];
    await eventually(cycles, (count) => count === 2);
    expect(await eventually(rows, ([row]) => row?.[1] === at(450).getTime())).toEqual([[id, at(450).getTime()]]);
    expect([await cycles(), (await goalsIn(store)).length]).toEqual([2, 4]);
    await here.remove(id);
    expect(await eventually(rows, ({ length }) => length === 0)).toEqual([]);
    await Promise.all(later.map(({ stop }) => stop()));
    expect(errors).toEqual([]);
  });
});
