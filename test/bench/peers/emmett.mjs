import pg from 'pg';
import { getPostgreSQLEventStore } from '@event-driven-io/emmett-postgresql';
import { childSettings, serve } from '../child.ts';
import { runWriters } from '../writers.ts';

/** Emmett's PostgreSQL store: both events in one append, in one transaction. */
const { connection } = childSettings();
const { host, port, user, database } = connection;
const pool = new pg.Pool({ ...connection, max: Number(process.env.BENCH_POOL ?? 10) });
const store = getPostgreSQLEventStore(`postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`, {
  connectionOptions: { pool },
});
await store.schema.migrate();

serve({
  load: (load) =>
    runWriters(load, ({ itemId, version }, events) =>
      store.appendToStream(
        `item-${itemId}`,
        events.map(({ type, data }) => ({ type, data, metadata: events.metadata })),
        {
          expectedStreamVersion: version === 0 ? 'STREAM_DOES_NOT_EXIST' : BigInt(version),
        },
      ),
    ),
});
