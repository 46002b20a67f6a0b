import { idOf, type Recorded } from '@app/kernel';
import { projection, type Row } from '@app/projections/contract';
import type { ItemData, ItemEvent } from '../item.events';
import type { FieldChange, ItemRevisionView } from './item-revision.view';

export type ItemRevisionRow = Row & ItemRevisionView;

/** One row per change, for ever: also when the item is gone. */
export const itemRevisions = projection<ItemRevisionRow, ItemEvent>({
  name: 'item_revisions',
  version: 1,
  columns: {
    itemId: 'text',
    collection: 'text',
    revision: 'integer',
    action: 'text',
    changes: 'jsonb',
    authorType: 'text',
    authorId: 'text',
    createdByRunId: 'text',
    at: 'text',
  },
  indexes: [['itemId', 'revision'], ['createdByRunId']],
  rowIds: ({ eventId }) => [eventId],
  on: {
    ItemCreated: (_row, event) => revision(event, 'created', {}, event.data.data),
    ItemPatched: (_row, event) => revision(event, 'updated', event.data.before, event.data.patch),
    ItemDeleted: (_row, event) => revision(event, 'deleted', event.data.before, {}),
  },
});

const revision = (event: Recorded<ItemEvent>, action: ItemRevisionView['action'], before: ItemData, after: ItemData): ItemRevisionRow => ({
  id: event.eventId,
  siteId: event.siteId,
  itemId: idOf(event.streamId),
  collection: event.data.collection,
  revision: event.version,
  action,
  changes: changesOf(before, after),
  authorType: event.metadata.actor.kind,
  authorId: event.metadata.actor.id,
  createdByRunId: event.metadata.runId ?? null,
  at: event.data.at,
});

const changesOf = (before: ItemData, after: ItemData): readonly FieldChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .toSorted()
    .map((field) => ({ field, before: valueOf(before, field), after: valueOf(after, field) }));

const valueOf = (data: ItemData, field: string) => (Object.hasOwn(data, field) ? data[field]! : null);
