import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Pool } from 'pg';

/** Does to a database what the first start of a server does before it writes its first event. */
const [built, text] = process.argv.slice(2);
const connection = JSON.parse(text);
const load = (file) => import(pathToFileURL(join(built, file)).href);
const { migrate } = await load('apps/gateway/src/migrate.js');
const { catalogue, projections } = await load('apps/gateway/src/composition.js');
const { PostgresEventStore } = await load('libs/event-store/src/index.js');
const { ProjectionsRuntime } = await load('libs/projections/src/index.js');
const { PgBossQueue } = await load('libs/queue/src/index.js');

await migrate(connection);
const pool = new Pool({ ...connection, max: 2 });
const queue = new PgBossQueue({ db: pool });
await queue.ready();
await queue.stop();
const store = await new PostgresEventStore({ connection, catalogue, signal: false }).start();
const runtime = new ProjectionsRuntime({ connection, store, projections });
await runtime.start();
await runtime.stop();
await store.close();
await pool.end();
