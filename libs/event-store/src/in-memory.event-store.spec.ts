import { InMemoryEventStore } from './in-memory.event-store';
import { eventStoreContract } from './testing/event-store.contract';

eventStoreContract('[LOG-051] in memory, as against PostgreSQL', (catalogue) => {
  const store = new InMemoryEventStore({ catalogue });
  return Promise.resolve({ store, close: () => store.close() });
});
