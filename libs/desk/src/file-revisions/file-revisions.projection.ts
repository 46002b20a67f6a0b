import { idOf, type Recorded } from '@app/kernel';
import { projection, type Row } from '@app/projections/contract';
import { bytesOf } from '../cells.policy';
import type { DeskEvent } from '../desk-file.events';
import type { FileRevisionView } from '../desk-list/file.view';

export type FileRevisionRow = Row & FileRevisionView & { readonly ownerId: string };

/** Numbers of one file count up, and each content is stored once. */
export const revisionId = (fileId: string, revision: number) => `${fileId}/${revision}`;

type Storing = Extract<DeskEvent, { type: 'DeskFileUpdated' | 'DeskFileDeleted' | 'DeskFileRestored' }>;
type Stored = NonNullable<Storing['data']['fileRevision']>;

const stored = ({ siteId, streamId, data, metadata }: Recorded<Storing>, cause: FileRevisionView['cause'], { revision, name, folder, content }: Stored): FileRevisionRow => ({
  id: revisionId(idOf(streamId), revision), siteId, ownerId: data.ownerId, fileId: idOf(streamId), revision, cause, name, folder, content, bytes: bytesOf(content),
  by: metadata.actor.id, runId: metadata.runId ?? null, at: data.at,
});

/** What files held before each overwrite and each delete, for ever. */
export const fileRevisions = projection<FileRevisionRow, DeskEvent>({
  name: 'file_revisions',
  version: 1,
  columns: {
    ownerId: 'text', fileId: 'text', revision: 'integer', cause: 'text', name: 'text', folder: 'text', content: 'jsonb', bytes: 'integer', by: 'text', runId: 'text', at: 'text',
  },
  indexes: [['fileId', 'revision']],
  rowIds: ({ streamId, data }) => ('fileRevision' in data && data.fileRevision ? [revisionId(idOf(streamId), data.fileRevision.revision)] : []),
  on: {
    DeskFileUpdated: (_row, event) => stored(event, 'updated', event.data.fileRevision),
    DeskFileDeleted: (_row, event) => stored(event, 'deleted', event.data.fileRevision),
    DeskFileRestored: (row, event) => (event.data.fileRevision ? stored(event, 'restored', event.data.fileRevision) : row),
  },
});
