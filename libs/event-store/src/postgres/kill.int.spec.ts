import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startPostgres, type EmbeddedPostgres } from '@app/database';
import { Client, Pool } from 'pg';
import { Consumers } from '../consumers/consumer';
import { Leases } from '../consumers/lease';
import { until } from '../consumers/testing/until';
import { newEventId } from '../ids';
import { catalogue, collectPages, command, newStream, note } from '../testing/samples';
import { migrateLog } from './migrate';
import { PostgresEventStore } from './postgres.event-store';

/** A server of its own, because this one is killed. */
let server: EmbeddedPostgres;
const dataDir = mkdtempSync(join(tmpdir(), 'pg-kill-'));
const start = async () => { server = await startPostgres({ dataDir, disposable: true }); };
const connection = () => ({ host: server.host, port: server.port, user: server.user, database: 'postgres' });

beforeAll(async () => {
  await start();
  await ask((client) => migrateLog(client));
});
afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const ask = async <T>(question: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client(connection());
  await client.connect();
  try {
    return await question(client);
  } finally {
    await client.end();
  }
};

/** The whole server dies without a word; its other processes follow their parent. */
const killAndRestart = async () => {
  const pid = await ask(async (client) => Number((await client.query<{ pid: string }>(`SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1) AS pid`)).rows[0]!.pid));
  process.kill(pid, 'SIGKILL');
  await server.stop().catch(() => undefined);
  await start();
};

it('[LOG-025] [LOG-029] kill -9 of PostgreSQL under load loses no acknowledged event, stores none twice, and leaves no checkpoint ahead of the log', async () => {
  const store = await new PostgresEventStore({ connection: connection(), catalogue, queue: { outageMs: 50_000 }, reader: { onAlarm: () => undefined } }).start();
  const pool = new Pool(connection());
  pool.on('error', () => undefined);
  const consumers = new Consumers(store, pool, new Leases(pool, { ttlMs: 2_000 }), { onAlarm: () => undefined });
  const witness = consumers.subscribe({ name: 'witness', handler: () => Promise.resolve() });

  const acknowledged: { eventIds: string[]; position: bigint }[] = [];
  let isOver = false;
  const writer = async () => {
    for (let streamId = newStream(), version = 0; !isOver; version += 2) {
      const events = [{ ...note(), eventId: newEventId() }, { ...note(), eventId: newEventId() }];
      const result = await store.append([{ streamId, expected: version, events }], [], command());
      if (!result.ok) throw new Error(JSON.stringify(result));
      acknowledged.push({ eventIds: events.map(({ eventId }) => eventId), position: result.position });
    }
  };
  const writers = Array.from({ length: 32 }, writer);
  for (let round = 0; round < 3; round++) {
    const before = acknowledged.length;
    // On a busy machine three hundred appends may be faster than its first checkpoint.
    if (round === 0) await until(() => witness.status(), ([slice]) => (slice?.position ?? 0n) > 0n, 20_000);
    await until(() => acknowledged.length, (n) => n > before + 300, 20_000);
    await killAndRestart();
    const { rows } = await ask((client) =>
      client.query<{ checkpoint: string; last: string }>(
        `SELECT c.position AS checkpoint, (SELECT max(position) FROM es_event) AS last FROM es_consumer c WHERE name = 'witness'`,
      ),
    );
    expect(rows).toHaveLength(1);
    expect(BigInt(rows[0]!.checkpoint)).toBeGreaterThan(0n);
    expect(BigInt(rows[0]!.checkpoint) <= BigInt(rows[0]!.last)).toBe(true);
  }
  isOver = true;
  await Promise.all(writers);

  const log = await collectPages(store.readAll(0n));
  expect(log.map(({ position }) => position)).toEqual(log.map((_, i) => BigInt(i + 1)));
  expect(log.map(({ eventId }) => eventId).sort()).toEqual(acknowledged.flatMap(({ eventIds }) => eventIds).sort());
  const idAt = new Map(log.map(({ position, eventId }) => [position, eventId]));
  for (const { eventIds, position } of acknowledged) expect(idAt.get(position)).toBe(eventIds.at(-1));
  for (const events of Map.groupBy(log, ({ streamId }) => streamId).values()) expect(events.map(({ version }) => version)).toEqual(events.map((_, i) => i + 1));
  await consumers.stop();
  await store.close();
  await pool.end();
});
