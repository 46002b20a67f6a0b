import { idOf, type Recorded } from '@app/kernel';
import { projection, type Row } from '@app/projections/contract';
import { bytesOf, textOf } from '../cells.policy';
import type { DeskEvent } from '../desk-file.events';
import type { FileSummary } from './file.view';

export type DeskFileRow = Row & Omit<FileSummary, 'id'> & { readonly ownerId: string };
export type DeskTextRow = Row & { readonly ownerId: string; readonly status: FileSummary['status']; readonly text: string };

type Of<T extends DeskEvent['type']> = Recorded<Extract<DeskEvent, { type: T }>>;
const summary = (row: DeskFileRow | null, change: (row: DeskFileRow) => Partial<DeskFileRow>): DeskFileRow | null => row && { ...row, ...change(row) };

/** Every file, the deleted ones included; contents stay in the log. */
export const deskFiles = projection<DeskFileRow, DeskEvent>({
  name: 'desk_files',
  version: 1,
  columns: {
    ownerId: 'text', type: 'text', name: 'text', folder: 'text', status: 'text', revision: 'integer', bytes: 'integer', createdAt: 'text', changedAt: 'text',
  },
  indexes: [['ownerId', 'status', 'id']],
  on: {
    DeskFileCreated: (_row, { streamId, siteId, data: { ownerId, type, name, folder, content, revision, at } }) => ({
      id: idOf(streamId), siteId, ownerId, type, name, folder, status: 'live', revision, bytes: bytesOf(content), createdAt: at, changedAt: at,
    }),
    DeskFileUpdated: (row, { data: { revision, content, at } }) => summary(row, () => ({ revision, bytes: bytesOf(content), changedAt: at })),
    DeskFileRenamed: (row, { data: { name, folder, at } }) => summary(row, () => ({ name, folder, changedAt: at })),
    DeskFileDeleted: (row, { data: { at } }) => summary(row, () => ({ status: 'deleted', changedAt: at })),
    DeskFileRestored: (row, { data: { revision, content, at } }) => summary(row, () => ({ status: 'live', revision, bytes: bytesOf(content), changedAt: at })),
  },
});

/** In front of the content stand folder and name; a search looks for words in all of it. */
const placed = (name: string, folder: string, content: string) => `${folder === '' ? '' : `${folder}/`}${name}\n${content}`;
const contentIn = (text: string) => text.slice(text.indexOf('\n') + 1);
const placeIn = (text: string) => text.slice(0, text.indexOf('\n'));

/** What a search reads: beside the list, which is read without it. */
export const deskTexts = projection<DeskTextRow, DeskEvent>({
  name: 'desk_texts',
  version: 1,
  columns: { ownerId: 'text', status: 'text', text: 'text' },
  indexes: [['ownerId', 'status', 'id']],
  on: {
    DeskFileCreated: (_row, { streamId, siteId, data: { ownerId, name, folder, content } }: Of<'DeskFileCreated'>) => ({
      id: idOf(streamId), siteId, ownerId, status: 'live', text: placed(name, folder, textOf(content)),
    }),
    DeskFileUpdated: (row, { data: { content } }) => row && { ...row, text: `${placeIn(row.text)}\n${textOf(content)}` },
    DeskFileRenamed: (row, { data: { name, folder } }) => row && { ...row, text: placed(name, folder, contentIn(row.text)) },
    DeskFileDeleted: (row) => row && { ...row, status: 'deleted' },
    DeskFileRestored: (row, { data: { content } }) => row && { ...row, status: 'live', text: `${placeIn(row.text)}\n${textOf(content)}` },
  },
});
