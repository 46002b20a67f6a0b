import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import type { Outcome } from '@app/kernel';
import { equalTo, ReadModels } from '@app/projections';
import { deskFile } from '../desk-file.state';
import { DeskOwners } from '../desk-owners';
import { spelled } from '../desk-name.policy';
import { liveFile } from '../own-file.policy';
import { deskFiles, deskTexts, type DeskFileRow } from './desk-files.projection';
import { ListDeskFiles, ReadDeskFile, SearchDesk } from './desk-queries.query';
import { excerptOf, wordsOf } from './excerpt.policy';
import { fileView, type FileSummary, type FileView, type FoundFile, type Listed } from './file.view';


const shown = ({ id, type, name, folder, status, revision, bytes, createdAt, changedAt }: DeskFileRow): FileSummary => ({
  id, type, name, folder, status, revision, bytes, createdAt, changedAt,
});

@QueryHandler(ListDeskFiles)
export class ListDeskFilesHandler implements IQueryHandler<ListDeskFiles> {
  constructor(
    private readonly owners: DeskOwners,
    private readonly reads: ReadModels,
  ) {}

  async execute({ input: { folder, deleted, limit, cursor }, asker, context, minPosition }: ListDeskFiles): Promise<Outcome<Listed<FileSummary>>> {
    const found = await this.owners.of(asker, context);
    if (!found.ok) return found;
    const { siteId, ownerId } = found.owner;
    if (minPosition !== undefined) await this.reads.reached(deskFiles, minPosition);
    const where = equalTo({ ownerId, status: deleted ? 'deleted' : 'live', folder: folder === undefined ? undefined : spelled(folder) });
    const page = await this.reads.list(deskFiles, { siteId, where, limit, ...(cursor !== undefined && { cursor }) });
    return { ok: true, data: { rows: page.rows.map(shown), nextCursor: page.nextCursor }, position: page.position };
  }
}

@QueryHandler(ReadDeskFile)
export class ReadDeskFileHandler implements IQueryHandler<ReadDeskFile> {
  constructor(
    private readonly owners: DeskOwners,
    private readonly executor: Executor,
  ) {}

  async execute({ fileId, asker, context }: ReadDeskFile): Promise<Outcome<FileView>> {
    const asked = await this.owners.of(asker, context);
    if (!asked.ok) return asked;
    const { state, position } = await this.executor.current(deskFile, fileId);
    const found = liveFile(state, asked.owner);
    return found.ok ? { ok: true, data: fileView(found.file), position } : found;
  }
}

@QueryHandler(SearchDesk)
export class SearchDeskHandler implements IQueryHandler<SearchDesk> {
  constructor(
    private readonly owners: DeskOwners,
    private readonly reads: ReadModels,
  ) {}

  async execute({ input: { query, limit, cursor }, asker, context, minPosition }: SearchDesk): Promise<Outcome<Listed<FoundFile>>> {
    const found = await this.owners.of(asker, context);
    if (!found.ok) return found;
    const { siteId, ownerId } = found.owner;
    if (minPosition !== undefined) await Promise.all([this.reads.reached(deskTexts, minPosition), this.reads.reached(deskFiles, minPosition)]);
    const words = wordsOf(query);
    const where = [...equalTo({ ownerId, status: 'live' }), ...words.map((value) => ({ path: 'text', is: 'contains' as const, value }))];
    const page = await this.reads.list(deskTexts, { siteId, where, limit, ...(cursor !== undefined && { cursor }) });
    const rows = await Promise.all(
      page.rows.map(async ({ id, text }) => {
        const file = await this.reads.find(deskFiles, siteId, id);
        return file ? [{ ...shown(file), excerpt: excerptOf(text, words) }] : [];
      }),
    );
    return { ok: true, data: { rows: rows.flat(), nextCursor: page.nextCursor }, position: page.position };
  }
}
