import { Client, Pool } from 'pg';
import type { Connection } from '@app/database';
import { Condition } from '../../condition';
import { Consumers } from '../../consumers/consumer';
import type { Handler } from '../../consumers/delivery';
import { Leases } from '../../consumers/lease';
import { LeaseWakes } from '../../consumers/lease-wakes';
import { recordEffects } from '../../consumers/testing/record-effects';
import { input, open, tell } from './open';

/**
 * One durable subscription. Tells the last position of each batch it is about to commit; with `holds` it then stays in the middle of its
 * transaction until it gets a SIGUSR2.
 */
const { connection, name, ttlMs, holds } = input<{ connection: Connection; name: string; ttlMs: number; holds: boolean }>();
const released = new Condition();
let used = 0;
process.on('SIGUSR2', () => released.notifyAll());

const pool = new Pool(connection);
pool.on('error', () => undefined);
const wakes = new LeaseWakes(() => new Client(connection));
const consumers = new Consumers(await open(connection), pool, new Leases(pool, { ttlMs }), { wakes, onAlarm: () => undefined });
const handler: Handler = async (events, tx, delivery) => {
  await recordEffects(name, 'child')(events, tx, delivery);
  tell({ handling: events.at(-1)!.position });
  if (holds && released.changes <= used++) await released.after(used - 1);
};
consumers.subscribe({ name, handler });
