import { Body, Controller, Get, HttpCode, Param, Post, Query, UseGuards } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, ApiList, booleanParam, Caller, cursorParam, limitParam, ListQuery, MinPosition, orProblem, ReadQuery, RequireCapability, type ListAnswer } from '@app/http';
import { missing, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { AgentsAskGuard } from './agents-ask.guard';
import { ChangeDesk } from './change-file/change-desk.command';
import { ListDeskFiles, ListFileRevisions, ReadDeskFile, ReadFileRevision, SearchDesk, SearchFilesInput } from './desk-list/desk-queries.query';
import { FileRevisionSummary, FileRevisionView, FileSummary, FileView, FoundFile, type Listed } from './desk-list/file.view';
import { personAtDesk } from './desk-asker.policy';
import { CreateFile, Folder, RestoreFile } from './desk.schema';

const FilesQuery = ListQuery.omit({ sort: true }).extend({ folder: Folder.optional(), deleted: booleanParam.optional() });
const HITS = /^([1-9]|1\d|20)$/;
const SearchQuery = ReadQuery.extend({
  query: SearchFilesInput.shape.query,
  limit: z.string().regex(HITS, 'A whole number from 1 to 20').meta({ type: 'integer', minimum: 1, maximum: 20, default: 10 }).transform(Number).default(10),
  cursor: cursorParam,
});
const RevisionsQuery = ReadQuery.extend({ limit: limitParam, cursor: cursorParam });
const RestoreBody = RestoreFile.omit({ fileId: true }).meta({ id: 'RestoreDeskFile' });
const NUMBER = /^[1-9]\d{0,5}$/;

const listed = <R>(outcome: Outcome<Listed<R>>): ListAnswer<R> => {
  const { data, position } = orProblem(outcome);
  return { data: data.rows, nextCursor: data.nextCursor, position };
};

/** The desk of the person who asks; nobody else's can be reached from here. */
@Controller('desk/files')
@UseGuards(AgentsAskGuard)
export class DeskController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @RequireCapability('desk:read')
  @ApiList(FileSummary)
  async list(@Query({ schema: FilesQuery }) { folder, deleted = false, limit, cursor }: z.infer<typeof FilesQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() caller: Caller) {
    return listed(await this.bus.ask(new ListDeskFiles({ folder, deleted, limit, cursor }, personAtDesk(caller.principal), caller.context(), minPosition)));
  }

  @Post()
  @RequireCapability('desk:create')
  @ApiAnswer(FileView, { status: 201 })
  async create(@Body({ schema: CreateFile }) body: CreateFile, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ChangeDesk({ ...body, do: 'create' }, personAtDesk(caller.principal), caller.context())));
  }

  @Get('search')
  @RequireCapability('desk:read')
  @ApiList(FoundFile)
  async search(@Query({ schema: SearchQuery }) { query, limit, cursor }: z.infer<typeof SearchQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() caller: Caller) {
    return listed(await this.bus.ask(new SearchDesk({ query, limit, cursor }, personAtDesk(caller.principal), caller.context(), minPosition)));
  }

  @Get(':fileId')
  @RequireCapability('desk:read')
  @ApiAnswer(FileView)
  async read(@Param('fileId') fileId: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.ask(new ReadDeskFile(fileId, personAtDesk(caller.principal), caller.context())));
  }

  @Get(':fileId/revisions')
  @RequireCapability('desk:read')
  @ApiList(FileRevisionSummary)
  async revisions(@Param('fileId') fileId: string, @Query({ schema: RevisionsQuery }) { limit, cursor }: z.infer<typeof RevisionsQuery>, @Caller() caller: Caller) {
    return listed(await this.bus.ask(new ListFileRevisions(fileId, { limit, cursor }, personAtDesk(caller.principal), caller.context())));
  }

  @Get(':fileId/revisions/:revision')
  @RequireCapability('desk:read')
  @ApiAnswer(FileRevisionView)
  async revision(@Param('fileId') fileId: string, @Param('revision') revision: string, @Caller() caller: Caller) {
    if (!NUMBER.test(revision)) return orProblem(missing());
    return orProblem(await this.bus.ask(new ReadFileRevision(fileId, Number(revision), personAtDesk(caller.principal), caller.context())));
  }

  @Post(':fileId/restore')
  @HttpCode(200)
  @RequireCapability('desk:write')
  @ApiAnswer(FileView)
  async restore(@Param('fileId') fileId: string, @Body({ schema: RestoreBody }) { revision }: z.infer<typeof RestoreBody>, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ChangeDesk({ do: 'restore', fileId, revision }, personAtDesk(caller.principal), caller.context())));
  }
}
