import { describe, expect, it } from '@jest/globals';
import type { Recorded } from '@app/kernel';
import { context, robot } from '@app/kernel/testing';
import { project, rowIdsOf } from '@app/projections/contract';
import { itemCreated, itemDeleted, itemPatched, ITEM_ID } from '../content.examples';
import type { ItemEvent } from '../item.events';
import { itemRevisions } from './item-revisions.projection';

const recorded = (event: ItemEvent, version: number, runId?: string): Recorded<ItemEvent> => ({
  ...event,
  version,
  position: BigInt(version),
  streamId: `item-${ITEM_ID}`,
  eventId: `event-${version}`,
  schemaVersion: 1,
  siteId: 'site_a',
  occurredAt: event.data.at,
  chain: { leaf: '', batch: 1n },
  metadata: {
    actor: context(runId === undefined ? {} : { actor: robot }).actor,
    correlationId: 'corr-1',
    commandId: 'cmd-1',
    ...(runId !== undefined && { runId }),
  },
});
const revisionsOf = (...events: readonly Recorded<ItemEvent>[]) =>
  events.flatMap((event) => rowIdsOf(itemRevisions, event).map((id) => project(itemRevisions, null, event, id)));

describe('The revisions of an item', () => {
  it('tell who made each of them, and an agent by the run it was on', () => {
    const revisions = revisionsOf(recorded(itemCreated(), 1), recorded(itemPatched({ words: null }, { words: 3 }), 2, 'run_1'));
    expect(revisions).toMatchObject([
      { id: 'event-1', itemId: ITEM_ID, revision: 1, authorType: 'human', authorId: 'key_ada', createdByRunId: null },
      { id: 'event-2', itemId: ITEM_ID, revision: 2, authorType: 'agent', authorId: 'key_robot', createdByRunId: 'run_1' },
    ]);
  });

  it('tell what each of them did to every touched field', () => {
    const revisions = revisionsOf(
      recorded(itemCreated(), 1),
      recorded(itemPatched({ title: 'Hello', words: null }, { title: 'Bye', words: 3 }), 2),
      recorded(itemDeleted({ title: 'Bye' }), 3),
    );
    expect(revisions.map((row) => [row?.action, row?.changes])).toEqual([
      [
        'created',
        [
          { field: 'status', before: null, after: 'draft' },
          { field: 'title', before: null, after: 'Hello' },
        ],
      ],
      [
        'updated',
        [
          { field: 'title', before: 'Hello', after: 'Bye' },
          { field: 'words', before: null, after: 3 },
        ],
      ],
      ['deleted', [{ field: 'title', before: 'Bye', after: null }]],
    ]);
  });
});
