import { Module } from '@nestjs/common';
import { CommitStagingController } from './commit-staging/commit-staging.controller';
import { CommitStagingNowHandler } from './commit-staging/commit-staging.handler';
import { ListStagedController } from './staged-list/list-staged.controller';
import { ListStagedHandler } from './staged-list/list-staged.handler';
import { SweepStagingsHandler } from './sweep-stagings/sweep-stagings.handler';
import { VetoStagingController } from './veto-staging/veto-staging.controller';
import { VetoStagingHandler } from './veto-staging/veto-staging.handler';

@Module({
  controllers: [ListStagedController, VetoStagingController, CommitStagingController],
  providers: [ListStagedHandler, VetoStagingHandler, CommitStagingNowHandler, SweepStagingsHandler],
})
export class StagingModule {}
