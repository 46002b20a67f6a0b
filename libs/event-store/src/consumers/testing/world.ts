import { Client, Pool } from 'pg';
import type { Recorded } from '@app/kernel';
import { testDatabase } from '../../../../../test/database';
import { Consumers, type ConsumersOptions } from '../consumer';
import type { Database } from '../database';
import { Leases } from '../lease';
import { LeaseWakes } from '../lease-wakes';
import type { EventStore } from '../../event-store';
import { PostgresEventStore } from '../../postgres/postgres.event-store';
import { catalogue, command, note } from '../../testing/samples';

/** A log with consumers in a database of its own. A `member` stands for a process: it has its own name, leases and subscriptions. */
export const consumerWorld = async () => {
  const database = await testDatabase();
  const pool = new Pool({ ...database, max: 20 });
  pool.on('error', () => undefined);
  await pool.query('CREATE TABLE effect (n bigserial PRIMARY KEY, consumer text, position bigint, stream_id text, by text)');
  const store: EventStore = await new PostgresEventStore({ connection: database, catalogue }).start();
  const wakes = new LeaseWakes(() => new Client(database));
  const members: Consumers[] = [];

  return {
    database,
    pool,
    store,
    wakes,

    member: (options: ConsumersOptions & { owner?: string; ttlMs?: number; db?: Database; store?: EventStore } = {}) => {
      const { owner, ttlMs = 5_000, db = pool, store: from = store, ...rest } = options;
      const leases = new Leases(db, { ttlMs, ...(owner && { owner }) });
      const consumers = new Consumers(from, db, leases, { wakes, ...rest });
      members.push(consumers);
      return { leases, consumers };
    },

    /** One event on each named stream, in one append; a name may come several times. */
    append: async (...streamIds: string[]): Promise<void> => {
      const writes = [...Map.groupBy(streamIds, (streamId) => streamId)].map(([streamId, ids]) => ({
        streamId,
        expected: 'any' as const,
        events: ids.map(() => note()),
      }));
      const result = await store.append(writes, [], command());
      if (!result.ok) throw new Error(`Not appended: ${JSON.stringify(result)}`);
    },

    /** What handlers wrote in their transactions, in the order of writing. */
    effects: async (consumer: string): Promise<bigint[]> => {
      const { rows } = await pool.query<{ position: string }>('SELECT position FROM effect WHERE consumer = $1 ORDER BY n', [consumer]);
      return rows.map(({ position }) => BigInt(position));
    },

    checkpoint: async (consumer: string, slice = 0): Promise<bigint> => {
      const { rows } = await pool.query<{ position: string }>('SELECT position FROM es_consumer WHERE name = $1 AND slice = $2', [
        consumer,
        slice,
      ]);
      return BigInt(rows[0]?.position ?? -1);
    },

    /** As if the time of every lease of this consumer had run out. */
    expire: (consumer: string) => pool.query(`UPDATE es_consumer SET expires_at = '-infinity' WHERE name = $1`, [consumer]),

    close: async () => {
      await Promise.all(members.map((consumers) => consumers.stop()));
      await wakes.close();
      await store.close();
      await pool.end();
      await database.drop();
    },
  };
};

export const positionsOf = (events: readonly Recorded[]) => events.map(({ position }) => position);

export const upTo = (last: number | bigint): bigint[] => Array.from({ length: Number(last) }, (_, n) => BigInt(n + 1));
