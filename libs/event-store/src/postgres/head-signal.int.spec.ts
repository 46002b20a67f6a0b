import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { testDatabase, type TestDatabase } from '../../../../test/database';
import { until } from '../consumers/testing/until';
import { catalogue, command, newStream, note } from '../testing/samples';
import { socketProxy } from '../testing/socket-proxy';
import { PostgresEventStore, type PostgresEventStoreOptions } from './postgres.event-store';

const LISTENER = 'event-store head signal';

describe('notifications between processes', () => {
  let database: TestDatabase;
  let admin: Client;
  let writer: PostgresEventStore;
  const open = (options: Partial<PostgresEventStoreOptions> = {}) => new PostgresEventStore({ connection: database, catalogue, ...options }).start();
  beforeAll(async () => {
    database = await testDatabase();
    admin = new Client(database);
    await admin.connect();
    writer = await open();
    await until(() => listeners(), (n) => n === 1);
  });
  afterAll(async () => {
    await writer.close();
    await admin.end();
    await database.drop();
  });

  const listeners = async () => (await admin.query(`SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database() AND query <> ''`, [LISTENER])).rowCount!;
  const append = async (store = writer) => {
    const result = await store.append([{ streamId: newStream(), expected: 'none', events: [note()] }], [], command());
    return result.ok ? result.position : -1n;
  };
  /** Where a store's feed has got to. */
  const feedOf = async (store: PostgresEventStore) => {
    const stop = new AbortController();
    const feed = { position: await store.head(), stop: () => stop.abort() };
    void (async () => {
      for await (const page of store.follow(feed.position, { signal: stop.signal })) feed.position = page.at(-1)!.position;
    })();
    return feed;
  };

  it('wake a reader in another process that never looks by itself', async () => {
    const reader = await open({ reader: { poll: null } });
    await until(listeners, (n) => n === 2);
    const feed = await feedOf(reader);
    for (let i = 0; i < 20; i++) {
      const position = await append();
      await until(() => feed.position, (at) => at === position);
    }
    feed.stop();
    await reader.close();
    await until(listeners, (n) => n === 1);
  });

  it('[LOG-032] when the listener is silently cut, the feed goes on by polling, and the listener re-arms within its heartbeat', async () => {
    const proxy = await socketProxy(database);
    const behind = { connection: { ...database, host: proxy.host }, signal: { heartbeatMs: 1_000, heartbeatAnswerMs: 2_000 } };
    const polling = await open({ ...behind, reader: { poll: { minMs: 20, maxMs: 40 } } });
    const deaf = await open({ ...behind, reader: { poll: null } });
    await until(listeners, (n) => n === 3);
    const [feed, deafFeed] = [await feedOf(polling), await feedOf(deaf)];
    let position = await append();
    await until(() => [feed.position, deafFeed.position], (at) => at.every((p) => p === position));

    proxy.silence(LISTENER);
    const cut = performance.now();
    // A notification that had arrived before the cut may still be at work, and bring the deaf one what comes right after it.
    for (let late = 0; late === 0 || (deafFeed.position === position && late < 5); late++) {
      position = await append();
      // Long before the other one's heartbeat can have gone unanswered, which takes two seconds.
      await until(() => feed.position, (at) => at === position, 1_500);
    }
    expect(deafFeed.position).toBeLessThan(position);

    // Nobody polls for the other store: only its new listener can tell it.
    await until(() => deafFeed.position, (at) => at === position);
    // One heartbeat, its deadline, and a second to connect on a busy machine.
    expect(performance.now() - cut).toBeLessThan(4_000);
    await until(() => proxy.opened(LISTENER), (n) => n === 4);
    position = await append();
    await until(() => deafFeed.position, (at) => at === position);

    feed.stop();
    deafFeed.stop();
    await Promise.all([polling.close(), deaf.close()]);
    await proxy.close();
  });

  it('go on after the server ended the listening session', async () => {
    const reader = await open({ reader: { poll: null } });
    const feed = await feedOf(reader);
    const before = await append();
    await until(() => feed.position, (at) => at === before);
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1', [LISTENER]);
    const position = await append();
    await until(() => feed.position, (at) => at === position);
    feed.stop();
    await reader.close();
  });

  it('are sent by no append transaction, and by nobody who is alone', async () => {
    const { rows } = await admin.query<{ source: string }>(`SELECT prosrc AS source FROM pg_proc WHERE proname = 'es_append'`);
    expect(rows[0]!.source).not.toMatch(/notify/i);
    const own = await testDatabase();
    const witness = new Client(own);
    await witness.connect();
    const sessions = () => witness.query(`SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database() AND query ~ 'pg_backend_pid'`, [LISTENER]);
    const lonely = await open({ connection: own });
    await until(async () => (await sessions()).rowCount, (n) => n === 1);
    const heard: string[] = [];
    witness.on('notification', ({ payload }) => heard.push(payload!));
    await witness.query('LISTEN es_head');
    const first = await append(lonely);
    const newcomer = await open({ connection: own });
    // Its hello makes the other one tell what it had kept to itself.
    await until(() => heard, (payloads) => payloads.includes(String(first)));
    const quiet = await open({ connection: own, signal: false });
    await append(quiet);
    const last = await append(lonely);
    await until(() => heard, (payloads) => payloads.includes(String(last)));
    expect(heard).toEqual(['hello', String(first), String(last)]);
    await Promise.all([lonely.close(), newcomer.close(), quiet.close()]);
    await witness.end();
    await own.drop();
  });
});
