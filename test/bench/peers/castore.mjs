import { GroupedEvent } from '@castore/core';
import castore from '@castore/event-storage-adapter-postgres';
import { childSettings, serve } from '../child.ts';
import { runWriters } from '../writers.ts';

/** Castore's PostgreSQL adapter: both events in one event group, which is one transaction. */
const { host, port, user, database } = childSettings().connection;
const { PostgresEventStorageAdapter: Adapter } = castore;
// Its driver takes the folder of a Unix socket from the environment only.
Object.assign(process.env, { PGHOST: host, PGPORT: String(port), PGUSER: user });
const connectionString = `postgresql:///${database}?max=${process.env.BENCH_POOL ?? 10}`;
await Adapter.createEventTable({ connectionString });
const adapter = new Adapter({ connectionString });
const context = { eventStoreId: 'ITEM' };

const detailsOf = ({ itemId, version }, events) =>
  events.map(({ type, data }, i) => ({
    aggregateId: itemId,
    version: version + i + 1,
    type,
    timestamp: new Date().toISOString(),
    payload: data,
    metadata: events.metadata,
  }));

serve({
  load: (load) =>
    runWriters(load, async (target, events) => {
      const group = detailsOf(target, events).map((event) => new GroupedEvent({ event, context, eventStorageAdapter: adapter }));
      await adapter.pushEventGroup({}, ...group);
    }),
});
