import { accept, missing, reject, type Context, type Decision, type Rejected } from '@app/kernel';
import { contentRefusal, editedCells } from '../cells.policy';
import type { DeskEvent } from '../desk-file.events';
import type { DeskFile, KnownFile } from '../desk-file.state';
import { folderProblem, nameProblem, spelled } from '../desk-name.policy';
import { MAX_FILES, type DeskChange, type FileContent } from '../desk.schema';
import { liveFile, ownFile, type DeskOwner } from '../own-file.policy';

/** What a change needs to know beside the file: its id, how many files the owner has, and the stored content that is to come back. */
export type DeskFacts = { readonly fileId: string; readonly filesNow: number; readonly stored: FileContent | null };
type Now = { readonly at: string };
type Events = Decision<readonly DeskEvent[]>;

/** The rules of every change of a desk, whoever asks and on whatever way. */
export const decideDeskChange = (state: DeskFile, change: DeskChange, owner: DeskOwner, facts: DeskFacts, { now }: Pick<Context, 'now'>): Events => {
  const told: Now = { at: now.toISOString() };
  if (change.do === 'create') return created(state, change, owner, facts, told);
  if (change.do === 'restore') return restored(state, change, owner, facts, told);
  const found = liveFile(state, owner);
  if (!found.ok) return found;
  const { file } = found;
  if (change.do === 'rename') return renamed(file, change, told);
  const stale = change.ifRevision !== undefined && change.ifRevision !== file.revision;
  if (stale) return reject('conflict', 'CONFLICT', 'The file has changed since then; read it and decide again.', { revision: file.revision });
  if (change.do === 'delete') return accept([{ type: 'DeskFileDeleted', data: { ownerId: file.ownerId, fileRevision: asItWas(file), ...told } }]);
  const content = contentAfter(file, change);
  return 'ok' in content ? content : overwritten(file, content.content, told);
};

const created = (state: DeskFile, change: Extract<DeskChange, { do: 'create' }>, owner: DeskOwner, { fileId, filesNow }: DeskFacts, { at }: Now): Events => {
  // A repeat meets the file it made.
  if (state.status !== 'none') return ownFile(state, owner).ok ? accept([]) : missing();
  const { type, content, name, folder = '' } = change;
  const refused = placeRefusal({ name, folder }) ?? contentRefusal(type, content);
  if (refused) return refused;
  if (filesNow >= MAX_FILES) return reject('conflict', 'CONFLICT', `A desk holds at most ${MAX_FILES} files; delete some first.`, { files: filesNow });
  const place = { name: spelled(name), folder: spelled(folder) };
  return accept([{ type: 'DeskFileCreated', data: { fileId, ...owner, type, ...place, content, revision: 1, at } }]);
};

const contentAfter = (file: KnownFile, change: Extract<DeskChange, { do: 'update_cells' | 'update_markdown' }>): { readonly content: FileContent } | Rejected => {
  if (change.do === 'update_markdown') return typeof file.content === 'string' ? { content: change.content } : wrongType(file, 'markdown');
  if (typeof file.content === 'string') return wrongType(file, 'cells');
  const cells = editedCells(file.content, change);
  return 'ok' in cells ? cells : { content: cells };
};

const wrongType = ({ type }: KnownFile, wanted: KnownFile['type']) =>
  reject('invalid', 'VALIDATION_FAILED', `This file is of type ${type}.`, { errors: [{ pointer: '/fileId', detail: `Must be a file of type ${wanted}` }] });

const overwritten = (file: KnownFile, content: FileContent, { at }: Now): Events => {
  const refused = contentRefusal(file.type, content);
  if (refused) return refused;
  if (JSON.stringify(content) === JSON.stringify(file.content)) return accept([]);
  return accept([{ type: 'DeskFileUpdated', data: { ownerId: file.ownerId, content, revision: file.revision + 1, fileRevision: asItWas(file), at } }]);
};

const renamed = (file: KnownFile, { name = file.name, folder = file.folder }: Extract<DeskChange, { do: 'rename' }>, { at }: Now): Events => {
  const refused = placeRefusal({ name, folder });
  if (refused) return refused;
  const [place, before] = [{ name: spelled(name), folder: spelled(folder) }, { name: file.name, folder: file.folder }];
  if (place.name === before.name && place.folder === before.folder) return accept([]);
  return accept([{ type: 'DeskFileRenamed', data: { ownerId: file.ownerId, ...place, before, at } }]);
};

/** Without a revision a deleted file comes back as it was; with one, any file gets that content. What it held meanwhile is stored first. */
const restored = (state: DeskFile, { revision }: Extract<DeskChange, { do: 'restore' }>, owner: DeskOwner, { stored, filesNow }: DeskFacts, { at }: Now): Events => {
  const found = ownFile(state, owner);
  if (!found.ok) return found;
  const { file } = found;
  const wasDeleted = file.status === 'deleted';
  if (!wasDeleted && revision === undefined) return reject('conflict', 'CONFLICT', 'This file is not deleted; name the revision whose content it is to get back.', { revision: file.revision });
  if (wasDeleted && filesNow >= MAX_FILES) return reject('conflict', 'CONFLICT', `A desk holds at most ${MAX_FILES} files; delete some first.`, { files: filesNow });
  const content = revision === undefined || revision === file.revision ? file.content : stored;
  if (content === null) return reject('invalid', 'VALIDATION_FAILED', 'This file has no such revision.', { errors: [{ pointer: '/revision', detail: `One of the stored revisions before ${file.revision}` }] });
  if (!wasDeleted && JSON.stringify(content) === JSON.stringify(file.content)) return accept([]);
  const kept = wasDeleted ? {} : { fileRevision: asItWas(file) };
  return accept([{ type: 'DeskFileRestored', data: { ownerId: file.ownerId, restored: revision ?? file.revision, wasDeleted, content, revision: file.revision + 1, ...kept, at } }]);
};

const asItWas = ({ revision, name, folder, content }: KnownFile) => ({ revision, name, folder, content });

const placeRefusal = ({ name, folder }: { readonly name: string; readonly folder: string }): Rejected | undefined => {
  const errors = [['/name', nameProblem(name)], ['/folder', folderProblem(folder)]].flatMap(([pointer, detail]) => (detail === undefined ? [] : [{ pointer, detail }]));
  return errors.length === 0 ? undefined : reject('invalid', 'VALIDATION_FAILED', 'The file cannot lie there under this name.', { errors });
};
