import { describe } from '@jest/globals';
import { InMemoryEventStore } from './in-memory.event-store';
import { eventStoreContract } from './testing/event-store.conformance';

describe('[LOG-051] The suite of the PostgreSQL adapter, races included', () => {
  eventStoreContract('in memory', (catalogue) => {
    const store = new InMemoryEventStore({ catalogue });
    return Promise.resolve({ store, close: () => store.close() });
  });
});
