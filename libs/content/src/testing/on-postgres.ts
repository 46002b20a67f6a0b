import { Client } from 'pg';
import { PostgresEventStore } from '@app/event-store';
import { migrateProjections, PostgresReadModels, ProjectionsRuntime } from '@app/projections';
import { testDatabase } from '../../../../test/database';
import { catalogue, projections, type Platform } from './running-content';

/** A log and read models in a database of their own. */
export const onPostgres = async (): Promise<Platform> => {
  const { drop, ...connection } = await testDatabase();
  const client = new Client(connection);
  await client.connect();
  await migrateProjections(client);
  await client.end();
  const store = await new PostgresEventStore({ connection, catalogue }).start();
  const runtime = new ProjectionsRuntime({ connection, store, projections });
  await runtime.start();
  const reads = await PostgresReadModels.connect({ connection, projections, progress: runtime.progress });
  const close = async () => {
    await reads.close();
    await runtime.stop();
    await store.close();
    await drop();
  };
  return { store, reads, close };
};
