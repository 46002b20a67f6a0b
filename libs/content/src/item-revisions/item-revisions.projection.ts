import { idOf, type Recorded } from '@app/kernel';
import { projection, type Row } from '@app/projections/contract';
import type { StagingEvent } from '@app/staging/contract';
import type { ItemData, ItemEvent } from '../item.events';
import type { FieldChange, ItemRevisionView } from './item-revision.view';

export type ItemRevisionRow = Row & ItemRevisionView;

/** One row per change, for ever: also when the item is gone. */
export const itemRevisions = projection<ItemRevisionRow, ItemEvent | StagingEvent>({
  name: 'item_revisions',
  version: 2,
  columns: {
    itemId: 'text',
    collection: 'text',
    revision: 'integer',
    action: 'text',
    changes: 'jsonb',
    authorType: 'text',
    authorId: 'text',
    createdByRunId: 'text',
    constitutionHash: 'text',
    stagingId: 'text',
    staged: 'boolean',
    autoCommitAt: 'text',
    at: 'text',
  },
  indexes: [['itemId', 'revision'], ['createdByRunId']],
  rowIds: ({ eventId }) => [eventId],
  on: {
    ItemCreated: (_row, event) => revision(event, 'created', {}, event.data.data),
    ItemPatched: (_row, event) => revision(event, 'updated', event.data.before, event.data.patch),
    ItemDeleted: (_row, event) => revision(event, 'deleted', event.data.before, {}),
    ChangeStaged: (_row, { eventId, siteId, data }) => ({
      id: eventId, siteId, itemId: data.itemId, collection: data.collection, revision: data.baseVersion, action: 'staged', changes: changesOf(data.before, data.patch),
      authorType: data.author.kind, authorId: data.author.id, createdByRunId: data.runId, constitutionHash: data.constitutionHash, stagingId: data.stagingId,
      staged: true, autoCommitAt: data.autoCommitAt, at: data.stagedAt,
    }),
  },
});

type Changing = Extract<ItemEvent, { type: 'ItemCreated' | 'ItemPatched' | 'ItemDeleted' }>;
const stagedOf = ({ type, data }: Changing) => (type === 'ItemPatched' ? data.staged : undefined);

const revision = (event: Recorded<Changing>, action: ItemRevisionView['action'], before: ItemData, after: ItemData): ItemRevisionRow => ({
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
  constitutionHash: stagedOf(event)?.constitutionHash ?? null,
  stagingId: stagedOf(event)?.stagingId ?? null,
  staged: false,
  autoCommitAt: null,
  at: event.data.at,
});

const changesOf = (before: ItemData, after: ItemData): readonly FieldChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .toSorted()
    .map((field) => ({ field, before: valueOf(before, field), after: valueOf(after, field) }));

const valueOf = (data: ItemData, field: string) => (Object.hasOwn(data, field) ? data[field]! : null);
