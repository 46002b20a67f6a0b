import { connect } from '@nats-io/transport-node';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, Pool } from 'pg';
import { childSettings, serve } from '../child.ts';
import { product } from '../product.ts';
import { percentile } from '../statistics.ts';
import { contextOf, SITES, siteOpening, story } from '../stories.ts';

/** One process with the log and its relay, and a subscriber of the broker beside it. */
const { connection, dist } = childSettings();
const url = process.env['BENCH_NATS_URL']!;
const { Leases, newId, PostgresEventStore, migrateLog } = await product(dist).eventStore();
const { NatsLink, Relay } = await product(dist).nats();
const { events } = await product(dist).sdkNats();
const { catalogue } = await product(dist).composition();

const client = new Client(connection);
await client.connect();
await migrateLog(client);
await client.end();

const pool = new Pool({ ...connection, max: 4 });
const store = await new PostgresEventStore({ connection, catalogue }).start();
const link = new NatsLink({ url, name: 'bench' }).start();
const troubles: unknown[] = [];
const relay = new Relay({
  db: pool, store, leases: new Leases(pool), link, shapes: { versionOf: catalogue.versionOf }, onError: (error) => troubles.push(error),
});
const subscriber = await connect({ servers: url });
const ending = new AbortController();

/** When which position arrived. */
const arrived = new Map<string, number>();
let position = 0n;
const subscribed = (async () => {
  for await (const event of events(subscriber, { signal: ending.signal })) {
    arrived.set(event.position, performance.now());
    position = BigInt(event.position);
  }
})();

const EVENTS_PER_GOAL = 2;
const SITE = SITES[0]!;

const until = async (reached: bigint): Promise<void> => {
  while (position < reached) {
    if (troubles.length > 0) throw new Error(`The relay is in trouble: ${String(troubles[0])}`);
    await sleep(1);
  }
};

const open = async (): Promise<bigint> => {
  const goalId = newId('goal');
  const [created, started] = story(SITE, 1)[0]!.events;
  const events = [{ ...created!, data: { ...(created!.data as object), goalId } }, started!];
  const result = await store.append([{ streamId: `goal-${goalId}`, expected: 'none', events }], [], contextOf(SITE));
  if (!result.ok) throw new Error(`The append failed: ${JSON.stringify(result)}`);
  return result.position;
};

/** Appends at a fixed rate whatever happens. The time counts from the moment an append was due until its last event is in the subscriber's hands. */
const follow = async ({ eventsPerSecond, roundMs, warmupMs }: { eventsPerSecond: number; roundMs: number; warmupMs: number }) => {
  const due = new Map<string, number>();
  const [cpu, begin] = [process.cpuUsage(), performance.now()];
  const interval = (1000 * EVENTS_PER_GOAL) / eventsPerSecond;
  const total = Math.floor((warmupMs + roundMs) / interval);
  const appends: Promise<bigint>[] = [];
  const one = async (at: number, counts: boolean) => {
    const last = await open();
    if (counts) due.set(String(last), at);
    return last;
  };
  for (let sent = 0; sent < total;) {
    for (; sent < total && begin + sent * interval <= performance.now(); sent++) appends.push(one(begin + sent * interval, sent * interval >= warmupMs));
    await sleep(1);
  }
  const last = (await Promise.all(appends)).reduce((newest, at) => (at > newest ? at : newest), 0n);
  await until(last);
  const sorted = Float64Array.from([...due].map(([at, from]) => arrived.get(at)! - from)).sort();
  arrived.clear();
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: eventsPerSecond, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99), clientCores: (user + system) / 1e3 / (performance.now() - begin) };
};

serve({
  start: async () => {
    relay.start();
    const opened = await store.append(siteOpening(SITE), [], contextOf(SITE));
    if (!opened.ok) throw new Error(JSON.stringify(opened));
    await until(opened.position);
  },
  follow,
  stop: async () => {
    ending.abort();
    await subscribed;
    await relay.stop();
    await subscriber.close();
    await link.stop();
  },
});
