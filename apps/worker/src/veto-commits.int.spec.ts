import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Consumers, Executor, Leases, PostgresEventStore, States } from '@app/event-store';
import { InMemoryReadModels, type AnyProjection } from '@app/projections';
import { migrateDeadlines } from '@app/scheduler';
import { stagings } from '@app/staging';
import { at, catalogue, logOf, processOn, STAGING, stagedWorld, WINDOW_MS } from '@app/staging/testing';
import { Pool } from 'pg';
import { eventually } from '../../../test/e2e/eventually';
import { testDatabase, type TestDatabase } from '../../../test/database';
import { vetoCommits } from './veto-commits';

const DEADLINE = WINDOW_MS / 60_000;

describe('The worker of the veto window, on PostgreSQL', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: PostgresEventStore;
  let minute = 0;
  const errors: unknown[] = [];

  beforeAll(async () => {
    const { drop, ...connection } = (database = await testDatabase());
    pool = new Pool({ ...connection, max: 12 });
    pool.on('error', () => undefined);
    await migrateDeadlines(pool);
    store = await new PostgresEventStore({ connection, catalogue }).start();
    await stagedWorld(store, { title: 'new' }, { title: 'old', body: 'old' });
  });
  afterAll(async () => {
    await store.close();
    await pool.end();
    await database.drop();
  });

  /** A worker process: its own warm states, its own leases, one clock for all. */
  const worker = () => {
    const consumers = new Consumers(store, pool, new Leases(pool));
    const reads = new InMemoryReadModels([stagings as unknown as AnyProjection]);
    const commits = vetoCommits({ pool, consumers, store, executor: new Executor(store, new States(store)), reads, onError: (error) => errors.push(error), now: () => at(minute) });
    commits.start();
    return {
      stop: async () => {
        await commits.stop();
        await consumers.stop();
      },
    };
  };
  const deadlines = async () => (await pool.query<{ key: string; scheduler: string }>('SELECT key, scheduler FROM deadline')).rows;
  const ends = async () => (await logOf(store)).filter(({ streamId }) => streamId === `staging-${STAGING}`).map(({ type }) => type);

  it('[VETO-006] keeps a durable job on the queue agent-veto-commits for a change that waits, and does nothing before its time', async () => {
    const first = worker();
    expect(await eventually(deadlines, (rows) => rows.length > 0)).toEqual([{ key: STAGING, scheduler: 'agent-veto-commits' }]);
    minute = DEADLINE - 1;
    await first.stop();
    expect([await deadlines(), await ends()]).toMatchObject([[{ key: STAGING }], ['ChangeStaged']]);
  });

  it('[VETO-006] [VETO-009] commits once when two workers come up after a downtime over the deadline', async () => {
    minute = DEADLINE + 90;
    const both = [worker(), worker()];
    expect(await eventually(deadlines, (rows) => rows.length === 0)).toEqual([]);
    await Promise.all(both.map(({ stop }) => stop()));
    expect([await ends(), errors]).toEqual([['ChangeStaged', 'StagingCommitted'], []]);
    expect((await logOf(store)).filter(({ type }) => type === 'ItemPatched')).toHaveLength(1);
  });

  it('[VETO-009] two committers that race for one change, without any lock between them, commit it once', async () => {
    for (let round = 0; round < 10; round++) {
      const { drop, ...connection } = await testDatabase();
      const other = await new PostgresEventStore({ connection, catalogue }).start();
      await stagedWorld(other, { title: 'new' }, { title: 'old' });
      const racers = [processOn(other), processOn(other)];
      expect(await Promise.all(racers.map(({ tick }) => tick(DEADLINE)))).toEqual(['done', 'done']);
      const types = (await logOf(other)).map(({ type }) => type);
      expect(types.filter((type) => /^(StagingCommit|ItemPatched|ApprovalApproved)/.test(type)).toSorted()).toEqual(['ApprovalApproved', 'ItemPatched', 'StagingCommitted']);
      await other.close();
      await drop();
    }
  });
});
