import { createInterface } from 'node:readline';
import { Client, Pool, type PoolConfig } from 'pg';
import { PostgresEventStore } from '../../postgres/postgres.event-store';
import { Consumers } from '../consumer';
import type { Handler } from '../delivery';
import { Leases } from '../lease';
import { LeaseWakes } from '../lease-wakes';
import { NOTES } from './notes';
import { recordEffects } from './record-effects';

/**
 * A process with one durable subscription. Tells on stdout each batch it is about to commit; with `holds` it stays in the middle of
 * its transaction until a line arrives on stdin.
 */
const { connection, name, ttlMs, holds } = JSON.parse(process.argv[2] ?? '') as {
  connection: { host: string; port: number; user: string; database: string };
  name: string;
  ttlMs: number;
  holds: boolean;
};
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const pool = new Pool(connection satisfies PoolConfig);
pool.on('error', () => undefined);
const store = await new PostgresEventStore({ connection, catalogue: NOTES }).start();
const consumers = new Consumers(store, pool, new Leases(pool, { ttlMs }), { wakes: new LeaseWakes(() => new Client(connection)), onAlarm: () => undefined });
const handler: Handler = async (events, tx, delivery) => {
  await recordEffects(name, 'child')(events, tx, delivery);
  process.stdout.write(`handling ${events.at(-1)!.position}\n`);
  if (holds) await lines.next();
};
consumers.subscribe({ name, handler });
