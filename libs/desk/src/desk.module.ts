import { Module } from '@nestjs/common';
import { CarryOutPlanHandler } from './carry-out-plan/carry-out-plan.handler';
import { HeldByRun } from './carry-out-plan/held-by-run';
import { ChangeDeskHandler } from './change-file/change-desk.handler';
import { DeskExecutor } from './change-file/desk-executor';
import { DeskController } from './desk.controller';
import { ListDeskFilesHandler, ReadDeskFileHandler, SearchDeskHandler } from './desk-list/desk-queries.handler';
import { DeskOwners } from './desk-owners';
import { ListFileRevisionsHandler, ReadFileRevisionHandler } from './file-revisions/file-revisions.handler';
import { PreviewChangesHandler } from './preview-changes/preview-changes.handler';
import { RehearseChangesHandler } from './rehearse-changes/rehearse-changes.handler';
import { ResolveRefHandler } from './resolve-ref/resolve-ref.handler';

@Module({
  controllers: [DeskController],
  providers: [
    DeskExecutor, DeskOwners, HeldByRun, ChangeDeskHandler, CarryOutPlanHandler, RehearseChangesHandler, PreviewChangesHandler, ListDeskFilesHandler, ReadDeskFileHandler,
    SearchDeskHandler, ListFileRevisionsHandler, ReadFileRevisionHandler, ResolveRefHandler,
  ],
})
export class DeskModule {}
