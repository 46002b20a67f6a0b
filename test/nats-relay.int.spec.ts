import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { Client, Pool } from 'pg';
import { LeaseWakes, Leases, PostgresEventStore, type HeadChannel } from '@app/event-store';
import { relayLag } from '@app/observability';
import { NatsHeads, NatsLink, Relay, RELAY } from '@app/nats';
import { tcpProxy } from '@app/nats/testing';
import { events, type HarnessEvent } from '@app/sdk/nats';
import { until } from '../libs/event-store/src/consumers/testing/until';
import { catalogue, collectPages, command, newStream, note } from '../libs/event-store/src/testing/samples';
import { testDatabase } from './database';
import { testNats } from './nats';

const SITES = ['site_a', 'site_b'];

/** A log and a broker; processes come and go. */
const world = async () => {
  const database = await testDatabase();
  const pool = new Pool({ ...database, max: 8 });
  pool.on('error', () => undefined);
  const nats = await testNats();
  const ends: (() => Promise<unknown>)[] = [];
  const open = async (heads?: HeadChannel, options = {}) => {
    const store = await new PostgresEventStore({ connection: database, catalogue, heads, ...options }).start();
    ends.push(() => store.close());
    return store;
  };
  const store = await open();
  const link = (url = nats.url) => {
    const made = new NatsLink({ url, name: 'spec' }).start();
    ends.push(() => made.stop());
    return made;
  };
  const errors: unknown[] = [];
  const relay = (url = nats.url, ttlMs = 2_000) => {
    const wakes = new LeaseWakes(() => new Client(database));
    const made = new Relay({
      db: pool, store, leases: new Leases(pool, { ttlMs }), wakes, link: link(url), shapes: { versionOf: catalogue.versionOf }, onError: (error) => errors.push(error),
    });
    made.start();
    let stopped: Promise<void> | undefined;
    const stop = () => (stopped ??= made.stop().then(() => wakes.close()));
    ends.push(stop);
    return { stop };
  };
  return {
    database, pool, nats, store, open, link, relay, errors,
    append: async (count = 1, text = 'hello') => {
      for (let n = 0; n < count; n++) {
        const result = await store.append([{ streamId: newStream(), expected: 'none', events: [note(text), note(text)] }], [], command({ siteId: SITES[n % 2]! }));
        if (!result.ok) throw new Error(JSON.stringify(result));
      }
    },
    log: () => collectPages(store.readAll(0n)),
    checkpoint: async () => BigInt((await pool.query<{ position: string }>('SELECT position FROM es_consumer WHERE name = $1', [RELAY])).rows[0]?.position ?? -1),
    close: async () => {
      for (const end of ends.toReversed()) await end();
      await nats.stop();
      await pool.end();
      await database.drop();
    },
  };
};
type World = Awaited<ReturnType<typeof world>>;

/** Collects what a subscriber gets. */
const subscriber = async (url: string, query: Parameters<typeof events>[1] = {}) => {
  const connection: NatsConnection = await connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
  const stopping = new AbortController();
  const got: HarnessEvent[] = [];
  const done = (async () => {
    for await (const event of events(connection, { ...query, signal: stopping.signal })) got.push(event);
  })();
  return {
    got,
    stop: async () => {
      stopping.abort();
      await done;
      await connection.close();
    },
  };
};

describe('The relay of the log', () => {
  let here: World;
  beforeAll(async () => {
    here = await world();
  });
  afterAll(() => here.close());
  const stops: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0).toReversed()) await stop();
  });
  const listen = async (query?: Parameters<typeof events>[1], url = here.nats.url) => {
    const made = await subscriber(url, query);
    stops.push(made.stop);
    return made;
  };
  const start = (...options: Parameters<World['relay']>) => {
    const made = here.relay(...options);
    stops.push(made.stop);
    return made;
  };
  /** The log as a subscriber must have seen it. */
  const expected = async (siteId?: string) => (await here.log()).filter((event) => siteId === undefined || event.siteId === siteId).map(({ eventId }) => eventId);
  const complete = async ({ got }: { got: readonly HarnessEvent[] }, siteId?: string) => {
    const all = await expected(siteId);
    await until(() => got.length, (count) => count >= all.length, 20_000);
    expect(got.map(({ id }) => id)).toEqual(all);
  };
  const messages = async () => {
    const connection = await connect({ servers: here.nats.url });
    const { state } = await (await jetstreamManager(connection)).streams.info('HARNESS');
    await connection.close();
    return state.messages;
  };

  it('[NATS-001] [NATS-002] publishes every event to the stream HARNESS, by site, category and type, as CloudEvents 1.0 under its event id', async () => {
    await here.append(2);
    start();
    const [event] = await here.log();
    const connection = await connect({ servers: here.nats.url });
    stops.push(() => connection.close());
    const manager = await until(() => jetstreamManager(connection).catch(() => undefined), (made) => made !== undefined);
    await until(() => manager!.streams.info('HARNESS').then(({ state }) => state.messages, () => 0), (count) => count > 0);
    const stored = await manager!.streams.getMessage('HARNESS', { seq: 1 });
    expect(stored!.subject).toBe('harness.site_a.note.Noted');
    expect(stored!.header.get('Nats-Msg-Id')).toBe(event!.eventId);
    expect(stored!.header.get('Content-Type')).toBe('application/cloudevents+json');
    expect(stored!.json()).toEqual({
      specversion: '1.0', id: event!.eventId, source: '/sites/site_a', type: 'Noted', subject: event!.streamId, time: event!.occurredAt, datacontenttype: 'application/json', siteid: 'site_a',
      position: '1', streamversion: 1, dataversion: 1, actorkind: event!.metadata.actor.kind, actorid: event!.metadata.actor.id, correlationid: event!.metadata.correlationId,
      commandid: event!.metadata.commandId, leaf: event!.chain.leaf, data: event!.data,
    });
    await complete(await listen());
    await complete(await listen({ siteId: 'site_b' }), 'site_b');
  });

  it('keeps what a call of a worker looks like out of the stream', async () => {
    const connection = await connect({ servers: here.nats.url });
    stops.push(() => connection.close());
    const before = await messages();
    await expect(jetstream(connection).publish('harness.tools.site_a.render', 'a call')).rejects.toThrow();
    expect(await messages()).toBe(before);
  });

  it('[NATS-007] shows two subscribers, a late joiner and a replay from the start each the complete sequence', async () => {
    start();
    const early = [await listen(), await listen()];
    await here.append(20);
    const late = await listen();
    await here.append(20);
    const replay = await listen({ after: '0' });
    for (const each of [...early, late, replay]) await complete(each);
    const [, , third] = await here.log();
    const resumed = await listen({ after: String(third!.position) });
    await until(() => resumed.got.length, (count) => count === early[0]!.got.length - 3);
    expect(resumed.got[0]!.position).toBe('4');
  });

  it('goes on for a durable subscription where it had stopped', async () => {
    start();
    await here.append(3);
    const first = await subscriber(here.nats.url, { durable: 'billing' });
    const all = await expected();
    await until(() => first.got.length, (count) => count === all.length);
    await first.stop();
    await here.append(2);
    const second = await listen({ durable: 'billing' });
    const more = (await expected()).slice(all.length - 1);
    // The event in hand when it was stopped counts as not handled yet.
    await until(() => second.got.length, (count) => count >= 4);
    expect(more.slice(-second.got.length)).toEqual(second.got.map(({ id }) => id));
  });

  it('[NATS-005] catches up after the broker was away, while writes went on', async () => {
    start();
    const reader = await listen();
    await here.append(2);
    await complete(reader);
    await here.nats.kill();
    const began = performance.now();
    await here.append(20);
    expect(performance.now() - began).toBeLessThan(2_000);
    const behind = await here.checkpoint();
    expect(behind).toBeLessThan(await here.store.head());
    expect((await relayLag(here.pool).read())[0]!.value).toBeGreaterThanOrEqual(40);
    await here.nats.restart('kept');
    await complete(reader);
    await until(() => here.checkpoint(), (position) => position >= behind + 40n);
    expect((await relayLag(here.pool).read())[0]!.value).toBe(0);
  });

  it('publishes anew what a broker has lost with its storage, to subscribers that had seen it and to new ones', async () => {
    start();
    const reader = await listen();
    await here.append(5);
    await complete(reader);
    await here.nats.restart('lost');
    await complete(await listen());
    await here.append(5);
    await complete(reader);
    expect(await messages()).toBe((await here.log()).length);
  });

  it('publishes nothing twice when it ended between publishing and its checkpoint, however long ago', async () => {
    const one = start();
    await here.append(5);
    await complete(await listen());
    await one.stop();
    await here.pool.query('UPDATE es_consumer SET position = 2 WHERE name = $1', [RELAY]);
    // Without the broker's own memory of ids, as after a long outage.
    await here.nats.restart('kept');
    start();
    await here.append(1);
    const head = await here.store.head();
    await until(() => here.checkpoint(), (position) => position === head, 20_000);
    expect(await messages()).toBe(Number(head));
  });

  it('is done by one process at a time, and by the next one at once when it stops', async () => {
    const [one] = [start(), start()];
    await here.append(3);
    const reader = await listen();
    await complete(reader);
    await one.stop();
    await here.append(3);
    await complete(reader);
    expect(await messages()).toBe((await here.log()).length);
  });

  it('is refused by the stream when it has lost the lease without knowing', async () => {
    const proxy = await tcpProxy(here.nats.url);
    stops.push(() => proxy.close());
    const one = start(proxy.url, 1_000);
    await here.append(2);
    await until(() => here.checkpoint(), (position) => position > 0n);
    // The other takes over while the first still believes that it leads.
    await here.pool.query(`UPDATE es_consumer SET expires_at = '-infinity' WHERE name = $1`, [RELAY]);
    start(here.nats.url, 1_000);
    await Promise.all(Array.from({ length: 10 }, () => here.append(5)));
    const reader = await listen();
    await complete(reader);
    expect(await messages()).toBe((await here.log()).length);
    await one.stop();
  });

  it('sends an event that is larger than the broker takes without its data, and tells where they are', async () => {
    start();
    await here.append(1, 'x'.repeat(1_048_000 / 1));
    const reader = await listen();
    await complete(reader);
    const large = reader.got.at(-1)!;
    expect([large.data, large.dataref]).toEqual([undefined, `/api/v1/audit/proof/${large.id}`]);
  });

  it('stops before a stream that belongs to another log, and says so', async () => {
    const own = await world();
    try {
      await own.append(1);
      own.relay();
      await until(() => own.checkpoint(), (position) => position === 2n);
      await own.pool.query('ALTER TABLE es_event DISABLE TRIGGER ALL');
      await own.pool.query(`UPDATE es_event SET event_id = gen_random_uuid() WHERE position = 2`);
      await own.pool.query('ALTER TABLE es_event ENABLE ALWAYS TRIGGER es_event_is_append_only');
      await own.nats.restart('kept');
      await own.append(1);
      await until(() => own.errors.map(String), (errors) => errors.some((error) => error.includes('belongs to another log')));
      const connection = await connect({ servers: own.nats.url });
      expect((await (await jetstreamManager(connection)).streams.info('HARNESS')).state.messages).toBe(2);
      await connection.close();
    } finally {
      await own.close();
    }
  });

  it('[LOG-039] a reader in another process is woken by NOTIFY, and by the broker where there is one, without ever looking by itself', async () => {
    const deaf = { reader: { poll: null } };
    const writer = await here.open(new NatsHeads(here.link()));
    const byNotify = await here.open(undefined, deaf);
    const byBroker = await here.open(new NatsHeads(here.link()), { ...deaf, signal: false });
    const feedOf = async (store: PostgresEventStore) => {
      const stop = new AbortController();
      const feed = { position: await store.head() };
      stops.push(() => Promise.resolve(stop.abort()));
      void (async () => {
        for await (const page of store.follow(feed.position, { signal: stop.signal })) feed.position = page.at(-1)!.position;
      })();
      return feed;
    };
    const start = await writer.head();
    const feeds = [await feedOf(byNotify), await feedOf(byBroker)];
    // Both have begun to listen when one append has got through.
    const append = async () => {
      const result = await writer.append([{ streamId: newStream(), expected: 'none', events: [note()] }], [], command());
      return result.ok ? result.position : -1n;
    };
    await until(async () => (await append(), feeds.map(({ position }) => position)), (at) => at.every((position) => position > start));
    for (let n = 0; n < 10; n++) {
      const position = await append();
      await until(() => feeds.map((feed) => feed.position), (at) => at.every((reached) => reached === position));
    }
  });
});
