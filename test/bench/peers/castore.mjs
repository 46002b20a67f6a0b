import { GroupedEvent } from '@castore/core';
import castore from '@castore/event-storage-adapter-postgres';
import { childSettings, serve } from '../child.ts';
import { runWriters } from '../writers.ts';

/** Castore's PostgreSQL adapter: both events in one event group, in one transaction. */
const { host, port, user, database } = childSettings().connection;
const connectionString = `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}?max=${process.env.BENCH_POOL ?? 10}`;
const adapter = new castore.PostgresEventStorageAdapter({ connectionString });
await adapter.createEventTable?.();
const context = { eventStoreId: 'ITEM' };

const detail = ({ itemId, version }, { type, data }, metadata) => ({
  aggregateId: itemId, version, type, timestamp: new Date().toISOString(), payload: data, metadata,
});
const single = process.env.BENCH_CASTORE === 'single';

serve({
  load: (load) =>
    runWriters(load, async (target, [first, second], ) => {}),
});
