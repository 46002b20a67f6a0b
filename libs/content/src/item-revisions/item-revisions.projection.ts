import { idOf, type Recorded } from '@app/kernel';
import { projection, type Row } from '@app/projections/contract';
import type { StagingEvent } from '@app/staging/contract';
import type { ItemData, ItemEvent } from '../item.events';
import { changesOf } from './field-changes.policy';
import type { ItemRevisionView } from './item-revision.view';

export type ItemRevisionRow = Row & ItemRevisionView;

/** One row per change, for ever: also when the item is gone. */
export const itemRevisions = projection<ItemRevisionRow, ItemEvent | StagingEvent>({
  name: 'item_revisions',
  version: 3,
  columns: {
    itemId: 'text',
    collection: 'text',
    revision: 'integer',
    action: 'text',
    changes: 'jsonb',
    authorType: 'text',
    authorId: 'text',
    createdByRunId: 'text',
    model: 'text',
    constitutionHash: 'text',
    sources: 'jsonb',
    confidence: 'double precision',
    stagingId: 'text',
    staged: 'boolean',
    autoCommitAt: 'text',
    at: 'text',
  },
  indexes: [['itemId', 'revision'], ['createdByRunId']],
  rowIds: ({ eventId, type, data }) => [type === 'ChangeForgotten' ? data.stagedEventId : eventId],
  on: {
    ItemCreated: (_row, event) => revision(event, 'created', {}, event.data.data),
    ItemPatched: (_row, event) => revision(event, 'updated', event.data.before, event.data.patch),
    ItemRestored: (_row, event) => revision(event, 'restored', event.data.before, event.data.patch),
    VersionPromoted: (_row, event) => revision(event, 'promoted', event.data.before, event.data.patch),
    ItemDeleted: (_row, event) => revision(event, 'deleted', event.data.before, {}),
    ChangeForgotten: (row) => row && { ...row, changes: [] },
    ChangeStaged: (_row, { eventId, siteId, data }) => ({
      id: eventId, siteId, itemId: data.itemId, collection: data.collection, revision: data.baseVersion, action: 'staged', changes: changesOf(data.before, data.patch),
      authorType: data.author.kind, authorId: data.author.id, createdByRunId: data.runId, model: null, constitutionHash: data.constitutionHash, sources: [], confidence: null, stagingId: data.stagingId,
      staged: true, autoCommitAt: data.autoCommitAt, at: data.stagedAt,
    }),
  },
});

type Changing = Extract<ItemEvent, { type: 'ItemCreated' | 'ItemPatched' | 'ItemRestored' | 'VersionPromoted' | 'ItemDeleted' }>;
const stagedOf = ({ type, data }: Changing) => (type === 'ItemPatched' ? data.staged : undefined);
const provenanceOf = ({ type, data }: Changing) => (type === 'ItemDeleted' ? {} : (data.provenance ?? {}));

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
  model: provenanceOf(event).model ?? null,
  constitutionHash: provenanceOf(event).constitutionHash ?? stagedOf(event)?.constitutionHash ?? null,
  sources: provenanceOf(event).sources ?? [],
  confidence: provenanceOf(event).confidence ?? null,
  stagingId: stagedOf(event)?.stagingId ?? null,
  staged: false,
  autoCommitAt: null,
  at: event.data.at,
});
