import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import type { Aggregate, Event } from '@app/kernel';
import { testDatabase, type TestDatabase } from '../../../../test/database';
import { until } from '../consumers/testing/until';
import type { AppendResult } from '../event-store';
import { Executor } from '../executor';
import { States } from '../states';
import { catalogue, collect, collectPages, command, newStream, note } from '../testing/samples';
import { socketProxy } from '../testing/socket-proxy';
import { PostgresEventStore } from './postgres.event-store';

const APPENDER = 'event-store append';

describe('the append queue', () => {
  let database: TestDatabase;
  let admin: Client;
  let store: PostgresEventStore;
  beforeAll(async () => {
    database = await testDatabase();
    admin = new Client(database);
    await admin.connect();
    store = await new PostgresEventStore({ connection: database, catalogue }).start();
    // A database that cannot store one kind of text, and that can be told to keep a commit open.
    await admin.query(`
      CREATE FUNCTION refuse_poison() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'this text is poison'; END $$;
      CREATE TRIGGER refuse_poison BEFORE INSERT ON es_event FOR EACH ROW WHEN (NEW.data LIKE '%poison%') EXECUTE FUNCTION refuse_poison();
      CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END $$;
      CREATE CONSTRAINT TRIGGER hold_commit AFTER INSERT ON es_event DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.data LIKE '%held%') EXECUTE FUNCTION hold_commit();`);
  });
  afterAll(async () => {
    await store.close();
    await admin.end();
    await database.drop();
  });

  const append = (to: PostgresEventStore, text: string, streamId = newStream(), expected: number | 'any' = 'any') =>
    to.append([{ streamId, expected, events: [note(text)] }], [], command());
  const kinds = (results: readonly AppendResult[]) => results.map((result) => result.ok || result.kind);
  const batches = async (since: bigint) => (await admin.query<{ n: string }>('SELECT count(*) AS n FROM es_batch WHERE first_position > $1', [String(since)])).rows[0]!.n;
  const waitsForCommit = () =>
    until(async () => (await admin.query(`SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND wait_event = 'advisory'`, [APPENDER])).rowCount, (n) => n === 1);
  const textsIn = async (streamId: string) => (await collect(store.read(streamId))).map(({ data }) => (data as { text: string }).text);

  it('tells an observer of every append and of the events of every commit', async () => {
    const seconds: number[] = [];
    const sizes: number[] = [];
    const observed = await new PostgresEventStore({
      connection: database, catalogue, queue: { observer: { appended: (took) => seconds.push(took), committed: (events) => sizes.push(events) } },
    }).start();
    const start = await observed.head();
    const results = await Promise.all(Array.from({ length: 30 }, (_, i) => append(observed, `${i}`, newStream(), i % 3 === 0 ? 5 : 0)));
    expect(kinds(results).filter((kind) => kind === true)).toHaveLength(20);
    expect(seconds).toHaveLength(30);
    expect(seconds.every((took) => took > 0 && took < 60)).toBe(true);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(20);
    expect(sizes).toHaveLength(Number(await batches(start)));
    await observed.close();
  });

  it('[LOG-016] a conflict does not make its neighbours in the batch fail', async () => {
    const start = await store.head();
    const results = await Promise.all(Array.from({ length: 100 }, (_, i) => append(store, `${i}`, newStream(), i % 3 === 0 ? 5 : 0)));
    expect(kinds(results)).toEqual(results.map((_, i) => (i % 3 === 0 ? 'conflict' : true)));
    expect(Number(await batches(start))).toBeLessThan(10);
  });

  it('[LOG-017] a command that raises a database error fails alone', async () => {
    const start = await store.head();
    const results = await Promise.all(Array.from({ length: 100 }, (_, i) => append(store, i === 41 || i === 42 || i === 77 ? 'poison' : `${i}`)));
    expect(kinds(results)).toEqual(results.map((_, i) => (i === 41 || i === 42 || i === 77 ? 'invalid' : true)));
    expect(results[41]).toEqual({ ok: false, kind: 'invalid', problems: [{ path: '', message: 'The database refused to store the events: this text is poison' }] });
    expect((await collectPages(store.readAll(start))).map(({ data }) => (data as { text: string }).text).sort()).toEqual(
      results.flatMap((result, i) => (result.ok ? [`${i}`] : [])).sort(),
    );
  });

  it('commands for one stream wait for each other, and those for others do not wait for them', async () => {
    const [hot, start] = [newStream(), await store.head()];
    const results = await Promise.all(Array.from({ length: 60 }, (_, i) => append(store, `${i}`, i % 2 === 0 ? hot : newStream(), i % 2 === 0 ? i / 2 : 0)));
    expect(kinds(results)).toEqual(results.map(() => true));
    expect(await textsIn(hot)).toEqual(Array.from({ length: 30 }, (_, i) => `${2 * i}`));
    expect(await batches(start)).toBe('30');
  });

  it('[LOG-018] finds a batch that was committed when its answer was lost', async () => {
    const proxy = await socketProxy(database);
    const other = await new PostgresEventStore({ connection: { ...database, host: proxy.host }, catalogue }).start();
    const streams = Array.from({ length: 20 }, () => newStream());
    await append(other, 'before', streams[0]);
    proxy.muteAnswers(APPENDER);
    const results = Promise.all(streams.map((streamId) => append(other, 'once', streamId, streamId === streams[0] ? 1 : 0)));
    await until(() => proxy.muted, (bytes) => bytes > 0);
    proxy.cut(APPENDER);
    expect(kinds(await results)).toEqual(streams.map(() => true));
    for (const streamId of streams) expect(await textsIn(streamId)).toEqual(streamId === streams[0] ? ['before', 'once'] : ['once']);
    const stored = new Map((await collectPages(store.readAll(0n))).map(({ streamId, position, version }) => [streamId, { position, version }]));
    expect(await results).toEqual(
      streams.map((streamId) => ({ ok: true, position: stored.get(streamId)!.position, versions: { [streamId]: stored.get(streamId)!.version }, repeated: false })),
    );
    await other.close();
    await proxy.close();
  });

  it('[LOG-018] ends a batch that the lost connection left half done, and stores it once', async () => {
    const proxy = await socketProxy(database);
    const other = await new PostgresEventStore({ connection: { ...database, host: proxy.host }, catalogue }).start();
    const [streamId, repeated] = [newStream(), newStream()];
    await admin.query('SELECT pg_advisory_lock(1)');
    const context = command({ repeatable: true });
    const results = Promise.all([
      other.append([{ streamId, expected: 0, events: [note('held')] }], [], command()),
      other.append([{ streamId: repeated, expected: 'any', events: [note('held too')] }], [], context),
    ]);
    await waitsForCommit();
    // The client is gone, its server process still waits inside the commit.
    proxy.muteAnswers(APPENDER);
    proxy.cut(APPENDER);
    await until(() => proxy.opened(APPENDER), (n) => n === 2);
    await waitsForCommit();
    await admin.query('SELECT pg_advisory_unlock(1)');
    expect(kinds(await results)).toEqual([true, true]);
    expect([await textsIn(streamId), await textsIn(repeated)]).toEqual([['held'], ['held too']]);
    expect(await other.append([{ streamId: repeated, expected: 'any', events: [note('held too')] }], [], context)).toMatchObject({ ok: true, repeated: true });
    await other.close();
    await proxy.close();
  });

  it('[LOG-018] finds the outcome when the server ends the connection in the middle of a batch', async () => {
    const streamId = newStream();
    await admin.query('SELECT pg_advisory_lock(1)');
    const result = append(store, 'held', streamId, 0);
    await waitsForCommit();
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()', [APPENDER]);
    await admin.query('SELECT pg_advisory_unlock(1)');
    expect(await result).toMatchObject({ ok: true, versions: { [streamId]: 1 } });
    expect(await textsIn(streamId)).toEqual(['held']);
  });

  it('[LOG-020] answers OVERLOADED when the queue is full, and stores none of that later', async () => {
    const small = await new PostgresEventStore({ connection: database, catalogue, queue: { maxCommands: 10 } }).start();
    await admin.query('SELECT pg_advisory_lock(1)');
    const first = append(small, 'held');
    const waiting = Array.from({ length: 10 }, (_, i) => append(small, `waiting ${i}`));
    const surplus = Array.from({ length: 30 }, () => newStream());
    expect(kinds(await Promise.all(surplus.map((streamId) => append(small, 'too many', streamId))))).toEqual(surplus.map(() => 'overloaded'));
    const log: Aggregate<number, Event> = { category: 'note', initial: 0, evolve: (n) => n + 1, stateVersion: 1 };
    const executed = new Executor(small, new States(small)).execute({ log: { aggregate: log, id: 'overload' } }, command(), () => ({ ok: true, events: { log: [note()] } }));
    expect(await executed).toMatchObject({ ok: false, rejection: { kind: 'unavailable', code: 'OVERLOADED' } });
    await admin.query('SELECT pg_advisory_unlock(1)');
    expect(kinds(await Promise.all([first, ...waiting]))).toEqual(Array.from({ length: 11 }, () => true));
    await small.close();
    expect([...(await store.versions([...surplus, 'note-overload'])).values()]).toEqual([...surplus.map(() => 0), 0]);
  });

  it('answers OVERLOADED by size as well', async () => {
    const small = await new PostgresEventStore({ connection: database, catalogue, queue: { maxBytes: 50_000 } }).start();
    await admin.query('SELECT pg_advisory_lock(1)');
    const first = append(small, 'held');
    const rest = Array.from({ length: 4 }, () => append(small, 'x'.repeat(20_000)));
    expect(kinds(await Promise.all(rest.slice(2)))).toEqual(['overloaded', 'overloaded']);
    await admin.query('SELECT pg_advisory_unlock(1)');
    expect(kinds(await Promise.all([first, ...rest.slice(0, 2)]))).toEqual([true, true, true]);
    await small.close();
  });

  it('says when an outcome stays unknown, stores nothing of what was not sent, and goes on when the database is back', async () => {
    const own = await testDatabase();
    const patient = await new PostgresEventStore({ connection: own, catalogue, queue: { outageMs: 300 } }).start();
    const holder = new Client(own);
    await holder.connect();
    // Whoever holds the lock of the writers keeps the first batch at the server.
    await holder.query('SELECT pg_advisory_lock(731946250118)');
    const streams = Array.from({ length: 3 }, () => newStream());
    const results = Promise.all(streams.map((streamId) => append(patient, 'during the outage', streamId)));
    await until(async () => (await holder.query(`SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).rowCount, (n) => n === 1);
    await admin.query(`ALTER DATABASE ${own.database} ALLOW_CONNECTIONS false`);
    await holder.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()');
    const details = (await results).map((result) => (result.ok || result.kind !== 'unavailable' ? '' : result.detail));
    expect(details[0]).toMatch(/unknown whether they are stored/);
    expect(details.slice(1)).toEqual(Array.from({ length: 2 }, () => 'The database cannot be reached; nothing was stored. Try again in a moment.'));
    expect(kinds([await append(patient, 'still out')])).toEqual(['unavailable']);
    await holder.end();
    await admin.query(`ALTER DATABASE ${own.database} ALLOW_CONNECTIONS true`);
    await until(() => append(patient, 'back', streams[0]), (result) => result.ok);
    expect([...(await patient.versions(streams)).values()]).toEqual([1, 0, 0]);
    await patient.close();
    await own.drop();
  });

  it('[LOG-007] lets conflicts and failures leave as plain results, and driver errors not at all', async () => {
    const proxy = await socketProxy(database);
    const other = await new PostgresEventStore({ connection: { ...database, host: proxy.host }, catalogue, queue: { outageMs: 200 } }).start();
    const failures = [
      await append(other, 'conflict', newStream(), 3), await append(other, 'poison'),
      await other.append([{ streamId: 'nonsense', expected: 'any', events: [note()] }], [], command()),
    ];
    await proxy.close();
    failures.push(await append(other, 'nobody there'), await append(other, 'still nobody there'));
    expect(kinds(failures)).toEqual(['conflict', 'invalid', 'invalid', 'unavailable', 'unavailable']);
    for (const failure of failures) expect(JSON.parse(JSON.stringify(failure))).toEqual(failure);
    const readings = [() => other.head(), () => other.versions(['note-1']), () => collect(other.read('note-1')), () => collect(other.readAll(0n))];
    for (const reading of readings) {
      const error = await reading().then(() => undefined, (thrown: unknown) => thrown as Error);
      expect(error).toMatchObject({ name: 'StoreUnavailable' });
      expect(error).not.toHaveProperty('cause');
      expect(error?.message).toMatch(/^The log cannot be read: /);
    }
    await other.close();
  });
});
