import { testDatabase } from '../../../../test/database';
import { eventStoreContract } from '../testing/event-store.conformance';
import { sealingContract } from '../testing/sealing.conformance';
import { PostgresEventStore } from './postgres.event-store';

eventStoreContract('PostgreSQL', async (catalogue) => {
  const { drop, ...connection } = await testDatabase();
  const store = await new PostgresEventStore({ connection, catalogue }).start();
  return { store, close: async () => { await store.close(); await drop(); } };
});

sealingContract('PostgreSQL', async (catalogue, sealing) => {
  const { drop, ...connection } = await testDatabase();
  const store = await new PostgresEventStore({ connection, catalogue, sealing }).start();
  return { store, close: async () => { await store.close(); await drop(); } };
});
