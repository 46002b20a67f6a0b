import { testDatabase } from '../../../../test/database';
import { eventStoreContract } from '../testing/event-store.conformance';
import { PostgresEventStore } from './postgres.event-store';

eventStoreContract('PostgreSQL', async (catalogue) => {
  const { drop, ...connection } = await testDatabase();
  const store = await new PostgresEventStore({ connection, catalogue }).start();
  return { store, close: async () => { await store.close(); await drop(); } };
});
