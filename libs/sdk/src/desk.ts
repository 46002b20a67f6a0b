import type { CreateFile, FileRevisionSummary, FileRevisionView, FileSummary, FileView, FoundFile } from '@app/desk/contract';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';

/** A file of one's own desk: text, or a table with typed columns. */
export type DeskFile = FileView;
export type DeskFileSummary = FileSummary;
export type DeskFileRevision = FileRevisionView;
export type DeskFileRevisionSummary = FileRevisionSummary;
export type FoundDeskFile = FoundFile;
/** In the root unless it names a folder. */
export type NewDeskFile = CreateFile;
/** `folder`: only files of that folder itself. `deleted`: those that were deleted, which can be restored. */
export type DeskQuery = ListQuery & { readonly folder?: string; readonly deleted?: boolean };

/** The desk of the person whose key this is. Needs `desk:read`, `desk:create` to create, `desk:write` to restore. Agents use it through tool calls. */
export class Desk {
  constructor(private readonly transport: Transport) {}

  list = (query: DeskQuery = {}, options: ReadOptions = {}): Promise<Page<DeskFileSummary>> => this.transport.page('/desk/files', { ...options, query });

  each = (query: DeskQuery = {}, options: ReadOptions = {}): AsyncGenerator<DeskFileSummary> => everyRow((cursor) => this.list({ ...query, cursor }, options));

  read = async (fileId: string, options?: ReadOptions): Promise<DeskFile> => (await this.transport.read<DeskFile>(path`/desk/files/${fileId}`, options)).data;

  create = (file: NewDeskFile, options?: WriteOptions): Promise<Answer<DeskFile>> => this.transport.write('POST', '/desk/files', file, options);

  /** Files that hold all the words, in name, folder or content; at most 20 a page. */
  search = (words: string, query: ListQuery = {}, options: ReadOptions = {}): Promise<Page<FoundDeskFile>> =>
    this.transport.page('/desk/files/search', { ...options, query: { ...query, query: words } });

  /** What the file held before each overwrite and delete, newest first; of a deleted file, too. */
  revisions = (fileId: string, query: ListQuery = {}, options: ReadOptions = {}): Promise<Page<DeskFileRevisionSummary>> =>
    this.transport.page(path`/desk/files/${fileId}/revisions`, { ...options, query });

  revision = async (fileId: string, revision: number, options?: ReadOptions): Promise<DeskFileRevision> =>
    (await this.transport.read<DeskFileRevision>(path`/desk/files/${fileId}/revisions/${String(revision)}`, options)).data;

  /** Without a revision a deleted file comes back as it was; with one, the file gets that content again. */
  restore = (fileId: string, revision?: number, options?: WriteOptions): Promise<Answer<DeskFile>> =>
    this.transport.write('POST', path`/desk/files/${fileId}/restore`, revision === undefined ? {} : { revision }, options);
}
