import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Consumers, Leases, newEventId, PostgresEventStore } from '@app/event-store';
import { Catalogue, eventFamily, idOf, type Recorded } from '@app/kernel';
import { PgBossQueue, queue as declared } from '@app/queue';
import { Pool } from 'pg';
import { z } from 'zod';
import { eventually } from '../../../test/e2e/eventually';
import { testDatabase, type TestDatabase } from '../../../test/database';

const events = eventFamily('order', { OrderPlaced: z.strictObject({ item: z.string() }) });
const ORDERS = 'orders';

/** A process of three parts: rows of its own, its checkpoint, and a job for each event. */
describe('The state, the checkpoint and the jobs of a process', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: PostgresEventStore;
  let jobs: PgBossQueue;
  beforeAll(async () => {
    const { drop: _drop, ...connection } = (database = await testDatabase());
    pool = new Pool({ ...connection, max: 8 });
    pool.on('error', () => undefined);
    store = await new PostgresEventStore({ connection, catalogue: new Catalogue(events) }).start();
    jobs = new PgBossQueue({ db: pool, queues: [declared(ORDERS)] });
    await jobs.ready();
    await pool.query('CREATE TABLE process_state (key text PRIMARY KEY, seen integer NOT NULL)');
  });
  afterAll(async () => {
    await jobs.stop();
    await store.close();
    await pool.end();
    await database.drop();
  });

  const place = (id: string) =>
    store.append([{ streamId: `order-${id}`, expected: 'none', events: [{ type: 'OrderPlaced', data: { item: id } }] }], [], {
      actor: { kind: 'service', id: 'shop' }, siteId: 'site_a', now: new Date(), correlationId: id, commandId: newEventId(),
    });
  /** The checkpoint first: what is read after it is at least as new. */
  const found = async () => {
    const checkpoint = await pool.query<{ position: string }>(`SELECT position FROM es_consumer WHERE name = 'orders'`);
    const state = await pool.query<{ key: string; seen: number }>('SELECT key, seen FROM process_state ORDER BY key');
    const job = await pool.query<{ id: string }>(`SELECT data::text AS id FROM pgboss.job WHERE name = $1 ORDER BY 1`, [ORDERS]);
    return { state: state.rows, jobs: job.rows.length, checkpoint: checkpoint.rows[0]?.position };
  };

  it('[PROC-002] are in one transaction: a crash at any point between them neither loses nor doubles a job', async () => {
    const crashes = ['before the state', 'after the state', 'after the job'];
    const crashed: string[] = [];
    const consumers = new Consumers(store, pool, new Leases(pool));
    consumers.subscribe({
      name: 'orders',
      handler: async (delivered, tx) => {
        const crash = async (where: string) => {
          if (crashes[0] !== where) return;
          crashed.push(crashes.shift()!);
          // The session ends as with a killed process; nothing of its transaction remains.
          await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
        };
        for (const { streamId } of delivered as readonly Recorded[]) {
          await crash('before the state');
          await tx.query('INSERT INTO process_state (key, seen) VALUES ($1, 1) ON CONFLICT (key) DO UPDATE SET seen = process_state.seen + 1', [idOf(streamId)]);
          await crash('after the state');
          await jobs.enqueue(ORDERS, `job-${idOf(streamId)}`, { order: idOf(streamId) }, { transaction: tx });
          await crash('after the job');
        }
      },
    });
    for (const id of ['a', 'b', 'c', 'd']) expect((await place(id)).ok).toBe(true);
    const done = await eventually(found, ({ checkpoint }) => checkpoint === '4');
    await consumers.stop();
    expect(crashed).toEqual(['before the state', 'after the state', 'after the job']);
    expect(done).toEqual({ state: ['a', 'b', 'c', 'd'].map((key) => ({ key, seen: 1 })), jobs: 4, checkpoint: '4' });
  });
});
