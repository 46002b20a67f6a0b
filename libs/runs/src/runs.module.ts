import { Module } from '@nestjs/common';
import { EndRunController } from './end-run/end-run.controller';
import { EndRunHandler } from './end-run/end-run.handler';
import { RunEnder } from './end-run/run-ender';
import { ListRunEventsHandler } from './run-events/list-run-events.handler';
import { RunStreamController } from './run-events/run-stream.controller';
import { ListRunsHandler } from './run-list/list-runs.handler';
import { GetRunHandler } from './run-view/get-run.handler';
import { RunsController } from './run-view/runs.controller';
import { StopRunHandler } from './stop-run/stop-run.handler';

@Module({
  controllers: [RunsController, RunStreamController, EndRunController],
  providers: [RunEnder, EndRunHandler, StopRunHandler, GetRunHandler, ListRunsHandler, ListRunEventsHandler],
})
export class RunsModule {}
