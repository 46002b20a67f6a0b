import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { testDatabase, type TestDatabase } from '../../../../test/database';
import { until } from '../consumers/testing/until';
import { LogGap } from '../errors';
import type { EventFilter } from '../event-store';
import { holdCommits, readAcrossHeldCommit, type Subject } from '../testing/held-commit';
import { naiveLog } from '../testing/naive-log';
import { catalogue, collectPages, command, newStream, note, take } from '../testing/samples';
import { PostgresEventStore, type PostgresEventStoreOptions } from './postgres.event-store';

describe('the feed', () => {
  let database: TestDatabase;
  let admin: Client;
  beforeAll(async () => {
    database = await testDatabase();
    admin = new Client(database);
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await database.drop();
  });

  const open = (options: Partial<PostgresEventStoreOptions> = {}) => new PostgresEventStore({ connection: database, catalogue, ...options }).start();
  const append = async (store: PostgresEventStore, ...texts: string[]) => {
    const result = await store.append([{ streamId: newStream(), expected: 'none', events: texts.map((text) => note(text)) }], [], command());
    if (!result.ok) throw new Error(JSON.stringify(result));
    return result.position;
  };
  const textOf = ({ data }: { data: unknown }) => (data as { text: string }).text;

  it('[LOG-026] delivers the event of a writer whose commit was held open while the reader ran', async () => {
    await holdCommits(admin, 'es_event', `NEW.data LIKE '%"held"%'`);
    const [one, two] = [await open(), await open()];
    const start = await one.head();
    const subject: Subject = {
      reader: 'event-store read',
      // Two processes, so that the second writer is not merely queued behind the first.
      write: async (name) => { await append(name === 'held' ? one : two, name); },
      async *read(signal) {
        for await (const page of two.follow(start, { signal })) yield* page.map(textOf);
      },
    };
    expect(await readAcrossHeldCommit(database, subject)).toEqual(['warm-up', 'held', 'second', 'last']);
    await Promise.all([one.close(), two.close()]);
  });

  it('[LOG-027] the same test catches a naive reader that polls positions of a sequence', async () => {
    const naive = await naiveLog(database);
    await holdCommits(admin, 'naive_event', `NEW.name = 'held'`);
    const delivered = await readAcrossHeldCommit(database, naive);
    expect(delivered).toEqual(['warm-up', 'second', 'last']);
    const { rows } = await naive.pool.query<{ name: string }>('SELECT name FROM naive_event ORDER BY position');
    expect(rows.map(({ name }) => name)).toEqual(['warm-up', 'held', 'second', 'last']);
    await naive.close();
  });

  it('[LOG-028] is not delayed by an idle open transaction elsewhere in the cluster', async () => {
    const store = await open();
    const idle = [new Client({ ...database, database: 'postgres' }), new Client(database)];
    for (const client of idle) {
      await client.connect();
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT pg_current_xact_id()');
    }
    const start = await store.head();
    const sent = performance.now();
    const arrived = take(1, store.follow(start)).then((events) => ({ events, ms: performance.now() - sent }));
    await append(store, 'while they idle');
    expect((await arrived).events.map(textOf)).toEqual(['while they idle']);
    expect((await arrived).ms).toBeLessThan(1_000);
    for (const client of idle) await client.end();
    await store.close();
  });

  it('[LOG-038] reads the log once for 40 followers', async () => {
    const store = await open();
    const start = await store.head();
    const stop = new AbortController();
    const seen = Array.from({ length: 40 }, () => 0);
    const following = seen.map(async (_, i) => {
      for await (const page of store.follow(start, { signal: stop.signal })) seen[i]! += page.length;
    });
    await append(store, 'everybody is here');
    await until(() => seen, (counts) => counts.every((n) => n === 1));
    const rowsRead = async () => Number((await admin.query<{ n: string }>(`SELECT idx_tup_fetch AS n FROM pg_stat_user_tables WHERE relname = 'es_event'`)).rows[0]!.n);
    const before = await rowsRead();
    for (let i = 0; i < 20; i++) await append(store, ...Array.from({ length: 50 }, (_, n) => `${i}.${n}`));
    await until(() => seen, (counts) => counts.every((n) => n === 1_001));
    stop.abort();
    await Promise.all(following);
    // Closing makes the server's processes hand in their statistics.
    await store.close();
    expect((await until(rowsRead, (n) => n >= before + 1_000)) - before).toBeLessThan(2_000);
  });

  it('[LOG-041] a slow follower neither delays a fast one nor fills the memory, and misses nothing', async () => {
    const store = await open({ reader: { maxEvents: 500 } });
    const start = await store.head();
    const slow = store.follow(start, { pageSize: 100 })[Symbol.asyncIterator]();
    let fast = start;
    const following = (async () => {
      for await (const page of store.follow(start)) {
        expect(page[0]!.position).toBe(fast + 1n);
        fast = page.at(-1)!.position;
        if (fast === start + 12_001n) return;
      }
    })();
    await append(store, 'first');
    expect((await slow.next()).value).toHaveLength(1);
    const before = await usedHeap();
    for (let i = 0; i < 120; i++) await append(store, ...Array.from({ length: 100 }, (_, n) => `${i}.${n} ${'x'.repeat(2_000)}`));
    await following;
    // Twelve thousand events of 2 kB are 24 MB of text at the least.
    expect((await usedHeap()) - before).toBeLessThan(12 * 1024 * 1024);
    let last = start + 1n;
    for (let page = await slow.next(); last < start + 12_001n; page = await slow.next()) {
      for (const { position } of page.value as { position: bigint }[]) {
        expect(position).toBe(last + 1n);
        last = position;
      }
      if (last === start + 12_001n) break;
    }
    await slow.return?.();
    await store.close();
  });

  it('[LOG-023] a reader that meets a gap stops with an alarm', async () => {
    const alarms: Error[] = [];
    const store = await open({ reader: { onAlarm: (alarm) => alarms.push(alarm) } });
    const start = await store.head();
    let arrived = 0;
    const follow = async (filter: EventFilter) => {
      for await (const page of store.follow(start, { filter })) arrived += page.length;
    };
    const following = Promise.allSettled([follow({}), follow({ types: ['Noted'] })]);
    const position = await append(store, 'before the gap');
    await until(() => arrived, (n) => n === 2);
    await skipPositions(admin, position, 2n);
    expect(await following).toMatchObject([{ reason: new LogGap(position + 1n, position + 3n) }, { reason: new LogGap(position + 1n, position + 3n) }]);
    expect(arrived).toBe(2);
    expect(alarms).toEqual([new LogGap(position + 1n, position + 3n)]);
    expect(alarms[0]?.message).toContain(`position ${position + 1n} should come next, but ${position + 3n} was read`);
    await expect(collectPages(store.readAll(position - 1n))).rejects.toThrow(LogGap);
    await expect(take(1, store.follow(position + 3n))).rejects.toThrow(LogGap);
    await store.close();
  });
});

const usedHeap = async () => {
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose_gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
};

/** What no program of ours does: stores an event that leaves `count` positions out. */
const skipPositions = async (client: Client, head: bigint, count: bigint) => {
  await client.query(
    `INSERT INTO es_event (position, stream_id, version, event_id, type, schema_version, site_id, occurred_ms, data, metadata, batch, leaf)
     SELECT position + $2 + 1, 'note-gap', 1, gen_random_uuid(), type, schema_version, site_id, occurred_ms, data, metadata, position + $2 + 1, leaf FROM es_event WHERE position = $1`,
    [String(head), String(count)],
  );
  await client.query(
    `INSERT INTO es_batch (first_position, last_position, root, previous, chain, committed_at)
     SELECT last_position + $2 + 1, last_position + $2 + 1, root, previous, chain, committed_at FROM es_batch WHERE last_position = $1`,
    [String(head), String(count)],
  );
};
