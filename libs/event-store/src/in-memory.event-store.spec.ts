import { describe } from '@jest/globals';
import { InMemoryEventStore } from './in-memory.event-store';
import { eventStoreContract } from './testing/event-store.conformance';
import { sealingContract } from './testing/sealing.conformance';

describe('[LOG-051] The suite of the PostgreSQL adapter, races included', () => {
  eventStoreContract('in memory', (catalogue) => {
    const store = new InMemoryEventStore({ catalogue });
    return Promise.resolve({ store, close: () => store.close() });
  });
  sealingContract('in memory', (catalogue, sealing) => {
    const store = new InMemoryEventStore({ catalogue, sealing });
    return Promise.resolve({ store, close: () => store.close() });
  });
});
