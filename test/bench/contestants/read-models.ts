import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { childSettings, serve } from '../child.ts';
import { product } from '../product.ts';
import { percentile } from '../statistics.ts';
import { contextOf, SITES, siteOpening, story } from '../stories.ts';

/** One process as the product runs it by default: the log, the worker that maintains every read model, and the reading side. */
const { connection, dist } = childSettings();
const { newId, PostgresEventStore, migrateLog } = await product(dist).eventStore();
const { migrateProjections, PostgresReadModels, ProjectionProgress, ProjectionsControl, ProjectionsRuntime } =
  await product(dist).projections();
const { catalogue, projections } = await product(dist).composition();

const client = new Client(connection);
await client.connect();
await migrateLog(client);
await migrateProjections(client);
await client.end();

const progress = new ProjectionProgress();
const store = await new PostgresEventStore({ connection, catalogue }).start();
const control = new ProjectionsControl({ connection, store, projections });
const reads = await PostgresReadModels.connect({ connection, projections, progress });
const troubles: unknown[] = [];
const runtime = new ProjectionsRuntime({
  connection,
  store,
  projections,
  progress,
  onAlarm: (alarm) => troubles.push(alarm),
  onError: (error) => troubles.push(error),
});

const STORIES_PER_APPEND = 25;
const APPENDS_AT_ONCE = 4;
const POLL_MS = 20;

/** Appends stories until the log has so many events, through the public port. */
const seed = async (events: number): Promise<void> => {
  for (const siteId of SITES) await write(siteId, siteOpening(siteId));
  let stories = 0;
  const target = BigInt(events);
  const writer = async () => {
    for (let head = 0n; head < target;) {
      const from = stories;
      stories += STORIES_PER_APPEND;
      const siteId = SITES[(from / STORIES_PER_APPEND) % SITES.length]!;
      head = await write(siteId, Array.from({ length: STORIES_PER_APPEND }, (_, n) => story(siteId, from + n)).flat());
    }
  };
  await Promise.all(Array.from({ length: APPENDS_AT_ONCE }, writer));
};

const write = async (siteId: string, writes: ReturnType<typeof story>): Promise<bigint> => {
  const result = await store.append(writes, [], contextOf(siteId));
  if (!result.ok) throw new Error(`The append failed: ${JSON.stringify(result)}`);
  return result.position;
};

/** Until every read model serves and has reached the head of the log. */
const settled = async (): Promise<void> => {
  for (;;) {
    const status = await control.status();
    if (status.every(({ state, lagEvents }) => state === 'live' && lagEvents === 0n)) return;
    if (troubles.length > 0) throw new Error(`The read models are in trouble: ${String(troubles[0])}`);
    await sleep(POLL_MS);
  }
};

const rebuild = async () => {
  const head = await store.head();
  const [cpu, from] = [process.cpuUsage(), performance.now()];
  const ordered = await control.rebuildAll();
  if (!ordered.ok) throw new Error(JSON.stringify(ordered));
  await settled();
  const seconds = (performance.now() - from) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: Number(BigInt.asIntN(53, head)) / seconds, seconds, clientCores: (user + system) / 1e6 / seconds };
};

const EVENTS_PER_GOAL = 2;
const goals = projections.find(({ name }) => name === 'goals')!;

/**
 * Opens goals at a fixed rate whatever the system does, and reads each one back as a client that follows its write would. The time counts from
 * the moment the append was due until the row is in the client's hands, so a stall is felt by everything that was due meanwhile.
 */
const follow = async ({ eventsPerSecond, roundMs, warmupMs }: { eventsPerSecond: number; roundMs: number; warmupMs: number }) => {
  const latencies: number[] = [];
  const begin = performance.now();
  const interval = (1000 * EVENTS_PER_GOAL) / eventsPerSecond;
  const total = Math.floor((warmupMs + roundMs) / interval);
  const open: Promise<void>[] = [];
  const one = async (due: number, counts: boolean) => {
    const [siteId, goalId] = [SITES[0]!, newId('goal')];
    const [goal] = story(siteId, 1);
    const [created, started] = goal!.events;
    const position = await write(siteId, [
      { streamId: `goal-${goalId}`, expected: 'none', events: [{ ...created!, data: { ...(created!.data as object), goalId } }, started!] },
    ]);
    await reads.reached(goals, position);
    const row = await reads.find(goals as never, siteId, goalId);
    if ((row as { status?: string } | null)?.status !== 'running') throw new Error(`Goal ${goalId} is not in the read model`);
    if (counts) latencies.push(performance.now() - due);
  };
  for (let sent = 0; sent < total;) {
    for (; sent < total && begin + sent * interval <= performance.now(); sent++)
      open.push(one(begin + sent * interval, sent * interval >= warmupMs));
    await sleep(1);
  }
  await Promise.all(open);
  const sorted = Float64Array.from(latencies).sort();
  return { perSecond: eventsPerSecond, p50: percentile(sorted, 0.5), p99: percentile(sorted, 0.99) };
};

serve({
  seed,
  start: async () => {
    await runtime.start();
    await settled();
    return projections.map(({ name }) => name);
  },
  rebuild,
  follow,
  stop: () => runtime.stop(),
});
