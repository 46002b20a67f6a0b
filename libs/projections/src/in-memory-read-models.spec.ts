import { describe, expect, it } from '@jest/globals';
import { InMemoryReadModels } from './in-memory-read-models';
import { readModelsContract } from './testing/read-models.conformance';
import { ALL, tasks } from './testing/tasks';

const inMemory = (events: Parameters<InMemoryReadModels['apply']>[0]) => {
  const reads = new InMemoryReadModels(ALL);
  reads.apply(events);
  return Promise.resolve(reads);
};

readModelsContract('in memory', inMemory, inMemory);

describe('Read models in memory', () => {
  it('let a waiting reader go as soon as the events are applied', async () => {
    const reads = new InMemoryReadModels(ALL);
    const waiting = reads.reached(tasks, 1n, 10_000);
    reads.apply([
      {
        type: 'TaskDropped',
        data: {},
        position: 1n,
        streamId: 'task-1',
        version: 1,
        eventId: 'e',
        schemaVersion: 1,
        siteId: 's',
        occurredAt: '2026-11-30T10:00:00.000Z',
        metadata: { actor: { kind: 'human', id: 'ada' }, correlationId: 'c', commandId: 'c' },
        chain: { leaf: '', batch: 1n },
      },
    ]);
    await waiting;
    expect(await reads.position()).toBe(1n);
  });
});
