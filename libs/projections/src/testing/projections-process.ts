import type { Connection } from '@app/database';
import { PostgresEventStore } from '@app/event-store';
import { ProjectionsRuntime } from '../runtime/runtime';
import { ALL, catalogue } from './tasks';

/** A worker process of its own, to be killed: keeps the read models of the database it is given until then. */
const connection = JSON.parse(process.argv[2]!) as Connection;
const store = await new PostgresEventStore({ connection, catalogue }).start();
await new ProjectionsRuntime({ connection, store, projections: ALL, leaseMs: 300 }).start();
process.stdout.write('ready\n');
