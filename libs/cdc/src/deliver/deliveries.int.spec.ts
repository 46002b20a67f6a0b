import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Catalogue, eventFamily, type Context, type Recorded } from '@app/kernel';
import { context } from '@app/kernel/testing';
import { Executor, Leases, migrateLog, PostgresEventStore, States } from '@app/event-store';
import { Client, Pool } from 'pg';
import { z } from 'zod';
import { testDatabase, type TestDatabase } from '../../../../test/database';
import { eventually } from '../../../../test/e2e/eventually';
import { created, replayed } from '../subscription.examples';
import { subscriptionEvents, type SubscriptionEvent } from '../subscription.events';
import { subscription, type KnownSubscription } from '../subscription.state';
import { migrateCdc } from './delivery-table';
import { SubscriptionDeliveries } from './subscription-deliveries';
import type { Delivered } from './target-delivery';

type Deliver = (to: KnownSubscription, event: Recorded) => Promise<Delivered>;

const notes = eventFamily('note', { Noted: z.strictObject({ nr: z.int() }) });
const TTL_MS = 1_000;

describe('Deliveries by several processes', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: PostgresEventStore;
  let executor: Executor;
  const running = new Set<SubscriptionDeliveries>();
  const errors: unknown[] = [];

  beforeAll(async () => {
    database = await testDatabase();
    const client = new Client(database);
    await client.connect();
    await migrateLog(client);
    await migrateCdc(client);
    await client.end();
    pool = new Pool({ ...database, max: 12 });
    pool.on('error', () => undefined);
    store = await new PostgresEventStore({ connection: database, catalogue: new Catalogue(notes, subscriptionEvents) }).start();
    executor = new Executor(store, new States(store));
  });
  afterAll(async () => {
    await Promise.all([...running].map((each) => each.stop()));
    await store.close();
    await pool.end();
    await database.drop();
  });

  let commands = 0;
  const inContext = (siteId = 'site_a'): Context => context({ siteId, commandId: `command-${commands++}` });
  const write = (id: string, event: SubscriptionEvent) =>
    executor.execute({ subscription: { aggregate: subscription, id } }, inContext(), () => ({ ok: true, events: { subscription: [event] } }));
  const note = async (count: number) => {
    for (let nr = 0; nr < count; nr++) await store.append([{ streamId: `note-${nr % 3}`, expected: 'any', events: [{ type: 'Noted', data: { nr } }] }], [], inContext(nr % 5 === 4 ? 'site_b' : 'site_a'));
  };
  const wantedFrom = async (from: bigint) => {
    const wanted: bigint[] = [];
    for await (const page of store.readAll(from - 1n, { filter: { siteId: 'site_a', types: ['Noted'] } })) wanted.push(...page.map(({ position }) => position));
    return wanted;
  };
  const subscribe = async (id: string) => {
    const head = await store.head();
    await write(id, created({ subscriptionId: id, filter: { types: ['Noted'] }, fromPosition: String(head + 1n) }));
    return head + 1n;
  };
  /** One process: its own leases, and a receiver. Subscriptions of other tests are there, too. */
  const member = (deliver: Deliver, ...ids: readonly string[]) => {
    const take: Deliver = (to, event) => (ids.includes(to.subscriptionId) ? deliver(to, event) : Promise.resolve({ ok: true }));
    const deliveries = new SubscriptionDeliveries({ db: pool, store, executor, leases: new Leases(pool, { ttlMs: TTL_MS }), targets: { webhook: take, nats: take, syslog: take }, onError: (error) => errors.push(error) });
    deliveries.start();
    running.add(deliveries);
    return {
      stop: async () => {
        running.delete(deliveries);
        await deliveries.stop();
      },
    };
  };

  it('hand every event over once and in order, while processes come and go', async () => {
    const taken = new Map<string, bigint[]>([['one', []], ['two', []]]);
    const take: Deliver = ({ subscriptionId }, { position }) => {
      taken.get(subscriptionId)!.push(position);
      return Promise.resolve({ ok: true });
    };
    const from = await subscribe('one');
    await subscribe('two');
    const writing = note(120);
    let members = [member(take, 'one', 'two'), member(take, 'one', 'two')];
    for (let round = 0; round < 4; round++) {
      const before = taken.get('one')!.length;
      await eventually(() => Promise.resolve(taken.get('one')!.length), (count) => count > before + 5, 3_000);
      await members[0]!.stop();
      members = [members[1]!, member(take, 'one', 'two')];
    }
    await writing;
    const wanted = await wantedFrom(from);
    expect(wanted).toHaveLength(96);
    for (const id of ['one', 'two']) expect(await eventually(() => Promise.resolve(taken.get(id)!), ({ length }) => length >= wanted.length)).toEqual(wanted);
    await Promise.all(members.map((each) => each.stop()));
    expect(errors).toEqual([]);
  });

  it('leave nothing out and change no order when a lease is lost in the middle of a delivery; what was sent twice is the event in hand', async () => {
    const sent: { readonly by: string; readonly position: bigint }[] = [];
    const held = Promise.withResolvers<void>();
    let holding = true;
    const slow: Deliver = async (_subscription, { position }) => {
      sent.push({ by: 'slow', position });
      if (holding && sent.length === 3) await held.promise;
      return { ok: true };
    };
    const slowMember = member(slow, 'lost');
    const from = await subscribe('lost');
    await note(10);
    await eventually(() => Promise.resolve(sent.length), (count) => count === 3);
    // As if the process had been frozen: its lease is another's before it finds out.
    await pool.query(`UPDATE es_consumer SET expires_at = '-infinity', fence = fence + 1 WHERE name = 'cdc:lost:0'`);
    const quick = member((_subscription, { position }) => {
      sent.push({ by: 'quick', position });
      return Promise.resolve({ ok: true });
    }, 'lost');
    const wanted = await wantedFrom(from);
    await eventually(() => Promise.resolve(sent.filter(({ by }) => by === 'quick').length), (count) => count > 0);
    holding = false;
    held.resolve();
    await eventually(() => Promise.resolve(sent), (all) => all.at(-1)?.position === wanted.at(-1));
    const positions = sent.map(({ position }) => position);
    expect(positions).toEqual([...wanted.slice(0, 3), ...wanted.slice(2)]);
    await Promise.all([slowMember.stop(), quick.stop()]);
  });

  it('[CDC-003] begin again where a replay says, in whichever process, and once', async () => {
    const taken: bigint[] = [];
    const take: Deliver = (_subscription, { position }) => {
      taken.push(position);
      return Promise.resolve({ ok: true });
    };
    const members = [member(take, 'replayed'), member(take, 'replayed')];
    const from = await subscribe('replayed');
    await note(8);
    const wanted = await wantedFrom(from);
    await eventually(() => Promise.resolve(taken.length), (count) => count >= wanted.length);
    for (const first of [0, 3, wanted.length - 1]) {
      taken.length = 0;
      await write('replayed', replayed(String(wanted[first])));
      await eventually(() => Promise.resolve(taken.length), (count) => count >= wanted.length - first);
      expect(taken).toEqual(wanted.slice(first));
    }
    await Promise.all(members.map((each) => each.stop()));
  });
});
