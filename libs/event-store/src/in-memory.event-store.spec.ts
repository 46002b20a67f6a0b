import { InMemoryEventStore } from './in-memory.event-store';
import { eventStoreContract } from './testing/event-store.conformance';

eventStoreContract('[LOG-051] in memory, as against PostgreSQL', (catalogue) => {
  const store = new InMemoryEventStore({ catalogue });
  return Promise.resolve({ store, close: () => store.close() });
});
