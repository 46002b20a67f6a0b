import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { Aggregate } from '@app/kernel';
import { testDatabase, type TestDatabase } from '../../../../test/database';
import { Executor } from '../executor';
import { States } from '../states';
import { compileStore, type Compiled } from '../testing/child-process';
import { catalogue, collect, collectPages, command, move, newStream, note, take } from '../testing/samples';
import { PostgresEventStore } from './postgres.event-store';

describe('what the log stores', () => {
  let database: TestDatabase;
  let admin: Client;
  let store: PostgresEventStore;
  let compiled: Compiled;
  beforeAll(async () => {
    database = await testDatabase();
    admin = new Client(database);
    await admin.connect();
    store = await new PostgresEventStore({ connection: database, catalogue }).start();
    compiled = compileStore();
  });
  afterAll(async () => {
    compiled.remove();
    await store.close();
    await admin.end();
    await database.drop();
  });

  it('keeps positions above 2^53 exact in append, read, follow and head', async () => {
    const own = await testDatabase();
    const client = new Client(own);
    await client.connect();
    // A log whose first nine quadrillion events are elsewhere.
    const start = 2n ** 53n + 1n;
    await client.query(`INSERT INTO es_batch VALUES (1, $1, '\\x00', '\\x00', decode(repeat('00', 32), 'hex'), now())`, [String(start)]);
    const high = await new PostgresEventStore({ connection: own, catalogue }).start();
    const streamId = newStream();
    const positions = [start + 1n, start + 2n, start + 3n];
    const followed = take(3, high.follow(start));
    for (const position of positions) {
      expect(await high.append([{ streamId, expected: 'any', events: [note()] }], [], command({ repeatable: true }))).toMatchObject({ ok: true, position });
    }
    expect(await high.head()).toBe(start + 3n);
    expect((await followed).map(({ position }) => position)).toEqual(positions);
    expect((await collect(high.read(streamId))).map(({ position, chain }) => [position, chain.batch])).toEqual(positions.map((position) => [position, position]));
    expect((await collectPages(high.readAll(start, { filter: { streamId } }))).map(({ position }) => position)).toEqual(positions);
    const { rows } = await client.query<{ position: string }>('SELECT position FROM es_command ORDER BY position');
    expect(rows.map(({ position }) => BigInt(position))).toEqual(positions);
    await high.close();
    await client.end();
    await own.drop();
  });

  it.each(['Pacific/Kiritimati', 'America/St_Johns', 'UTC'])('[LOG-043] keeps instants as sent, days of changing clocks included, in time zone %s', async (TZ) => {
    await admin.query(`ALTER DATABASE ${database.database} SET timezone = '${TZ}'`);
    const instants = [
      '2030-01-01T00:00:00.000Z', '2030-03-10T05:29:59.999Z', '2030-03-10T05:30:00.000Z', '2030-03-10T06:30:00.001Z', '2030-11-03T04:30:00.000Z',
      '2030-11-03T05:30:00.500Z', '2030-12-31T23:59:59.999Z', '2024-02-29T12:00:00.000Z', '1969-12-31T23:59:59.999Z', '1912-06-23T00:00:00.007Z',
    ];
    const streamId = newStream();
    const child = compiled.run('instants.js', { input: { connection: database, streamId, instants }, env: { TZ } });
    expect(await child.exited).toBe(0);
    expect(child.lines).toEqual([{ zone: TZ, read: instants }]);
    expect((await collect(store.read(streamId))).map(({ occurredAt }) => occurredAt)).toEqual(instants);
    const { rows } = await admin.query<{ ms: string }>('SELECT occurred_ms AS ms FROM es_event WHERE stream_id = $1 ORDER BY version', [streamId]);
    expect(rows.map(({ ms }) => Number(ms))).toEqual(instants.map((instant) => Date.parse(instant)));
  });

  it('reads old schema versions as today\'s code expects them, and refuses to guess at newer ones', async () => {
    const streamId = newStream();
    await store.append([{ streamId, expected: 'none', events: [{ type: 'NoteRenamed', data: { title: 'now', by: 'ada' } }] }], [], command());
    const old = [[1, { name: 'first' }], [2, { title: 'second' }], [4, { title: 'from the future' }]] as const;
    const insert = async (version: number, schemaVersion: number, data: object) => {
      const head = String((await store.head()) + 1n);
      await admin.query(
        `INSERT INTO es_event SELECT $1, stream_id, $2, gen_random_uuid(), type, $3, site_id, occurred_ms, $4, metadata, $1, leaf FROM es_event WHERE stream_id = $5 AND version = 1`,
        [head, version, schemaVersion, JSON.stringify(data), streamId],
      );
      await admin.query(`INSERT INTO es_batch SELECT $1, $1, root, previous, chain, now() FROM es_batch ORDER BY first_position DESC LIMIT 1`, [head]);
      await admin.query('UPDATE es_stream SET version = $2 WHERE stream_id = $1', [streamId, version]);
    };
    await insert(2, ...old[0]);
    await insert(3, ...old[1]);
    expect((await collect(store.read(streamId))).map(({ schemaVersion, data }) => [schemaVersion, data])).toEqual([
      [3, { title: 'now', by: 'ada' }], [1, { title: 'first', by: 'unknown' }], [2, { title: 'second', by: 'unknown' }],
    ]);
    await insert(4, ...old[2]);
    await expect(collect(store.read(streamId))).rejects.toThrow('NoteRenamed version 4 is newer than this program, which knows 3');
  });

  it('[LOG-045] with a pool of 2 connections 50 concurrent commands all finish', async () => {
    const small = await new PostgresEventStore({ connection: database, catalogue, readers: 2 }).start();
    const counter: Aggregate<number, ReturnType<typeof move>> = { category: 'counter', initial: 0, evolve: (sum) => sum + 1, stateVersion: 1 };
    const ids = Array.from({ length: 10 }, (_, i) => `${newStream()}.${i}`);
    for (const cold of [true, false]) {
      // Cold: every command loads its streams through the pool. Foreign writes in between force conflicts, and so loads inside of commands.
      const executor = new Executor(small, new States(small));
      const results = await Promise.all(
        Array.from({ length: 50 }, async (_, i) => {
          if (!cold && i % 5 === 0) await store.append([{ streamId: `counter-${ids[i % 10]}`, expected: 'any', events: [move()] }], [], command());
          return executor.execute(
            { one: { aggregate: counter, id: ids[i % 10]! }, other: { aggregate: counter, id: ids[(i + 1) % 10]!, guard: true } }, command(), () => ({ ok: true, events: { one: [move()] } }),
          );
        }),
      );
      expect(results.map(({ ok }) => ok)).toEqual(results.map(() => true));
    }
    const versions = await small.versions(ids.map((id) => `counter-${id}`));
    expect([...versions.values()].reduce((sum, n) => sum + n)).toBe(50 + 50 + 10);
    await small.close();
  });
});
