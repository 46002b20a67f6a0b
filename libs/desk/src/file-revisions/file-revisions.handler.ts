import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { missing, type Context, type Outcome } from '@app/kernel';
import { equalTo, ReadModels } from '@app/projections';
import type { DeskAsker } from '../desk-asker.policy';
import { deskFile } from '../desk-file.state';
import { ListFileRevisions, ReadFileRevision } from '../desk-list/desk-queries.query';
import type { FileRevisionSummary, FileRevisionView, Listed } from '../desk-list/file.view';
import { DeskOwners } from '../desk-owners';
import { ownFile } from '../own-file.policy';
import { fileRevisions, revisionId, type FileRevisionRow } from './file-revisions.projection';

const viewed = ({ fileId, revision, cause, name, folder, content, bytes, by, runId, at }: FileRevisionRow): FileRevisionView => ({
  fileId, revision, cause, name, folder, content, bytes, by, runId, at,
});
const summary = (row: FileRevisionRow): FileRevisionSummary => {
  const { content: _content, ...shown } = viewed(row);
  return shown;
};

/** What a file of the asker held before each change, also when it is deleted; the answer has seen the last change. */
class RevisionsOfFile {
  constructor(
    private readonly owners: DeskOwners,
    private readonly executor: Executor,
    protected readonly reads: ReadModels,
  ) {}

  protected async own(fileId: string, asker: DeskAsker, context: Pick<Context, 'siteId' | 'actor'>) {
    const asked = await this.owners.of(asker, context);
    if (!asked.ok) return asked;
    const { state, position } = await this.executor.current(deskFile, fileId);
    const found = ownFile(state, asked.owner);
    if (found.ok) await this.reads.reached(fileRevisions, position);
    return found;
  }
}

@QueryHandler(ListFileRevisions)
export class ListFileRevisionsHandler extends RevisionsOfFile implements IQueryHandler<ListFileRevisions> {
  constructor(owners: DeskOwners, executor: Executor, reads: ReadModels) {
    super(owners, executor, reads);
  }

  async execute({ fileId, page: { limit, cursor }, asker, context }: ListFileRevisions): Promise<Outcome<Listed<FileRevisionSummary>>> {
    const found = await this.own(fileId, asker, context);
    if (!found.ok) return found;
    const request = { siteId: context.siteId, where: equalTo({ fileId }), sort: { field: 'revision', direction: 'desc' } as const, limit, ...(cursor !== undefined && { cursor }) };
    const page = await this.reads.list(fileRevisions, request);
    return { ok: true, data: { rows: page.rows.map(summary), nextCursor: page.nextCursor }, position: page.position };
  }
}

@QueryHandler(ReadFileRevision)
export class ReadFileRevisionHandler extends RevisionsOfFile implements IQueryHandler<ReadFileRevision> {
  constructor(owners: DeskOwners, executor: Executor, reads: ReadModels) {
    super(owners, executor, reads);
  }

  async execute({ fileId, revision, asker, context }: ReadFileRevision): Promise<Outcome<FileRevisionView>> {
    const found = await this.own(fileId, asker, context);
    if (!found.ok) return found;
    const row = await this.reads.find(fileRevisions, context.siteId, revisionId(fileId, revision));
    return row ? { ok: true, data: viewed(row), position: row.position } : missing();
  }
}
