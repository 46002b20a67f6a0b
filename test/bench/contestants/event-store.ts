import { Client } from 'pg';
import { childSettings, serve } from '../child.ts';
import { product } from '../product.ts';
import { runWriters, type Load } from '../writers.ts';

/** Our log through its public port: catalogue validation, canonical JSON, command metadata, hash chain and all. */
const { connection, dist } = childSettings();
const { PostgresEventStore, migrateLog } = await product(dist).eventStore();
const { catalogue } = await product(dist).composition();

const client = new Client(connection);
await client.connect();
await migrateLog(client);
await client.end();
const store = await new PostgresEventStore({ connection, catalogue }).start();

serve({
  load: (load: Load) =>
    runWriters(load, async ({ itemId, version }, events) => {
      const context = { ...events.metadata, siteId: 'site_bench', now: new Date() };
      const result = await store.append([{ streamId: `item-${itemId}`, expected: version === 0 ? 'none' : version, events }], [], context);
      if (!result.ok) throw new Error(`The append failed: ${JSON.stringify(result)}`);
    }),
});
