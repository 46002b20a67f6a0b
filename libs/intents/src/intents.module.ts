import { Module } from '@nestjs/common';
import { ChangeIntentHandler } from './change-intent/change-intent.handler';
import { CompileIntentHandler } from './compile/compile-intent.handler';
import { RunCycleHandler } from './cycle/run-cycle.handler';
import { DeclareIntentHandler } from './declare-intent/declare-intent.handler';
import { DeleteIntentHandler } from './delete-intent/delete-intent.handler';
import { ListDriftsHandler } from './drift-list/list-drifts.handler';
import { GetIntentHandler, ListIntentsHandler } from './intent-list/intent-queries.handler';
import { IntentsController } from './intents.controller';
import { PauseIntentHandler } from './pause-intent/pause-intent.handler';

/** The application provides `Executor`, `ReadModels`, `Bus`, `Clock`, `ItemPages`, `LinkChecker` and `LanguageModel`. */
@Module({
  controllers: [IntentsController],
  providers: [
    DeclareIntentHandler, ChangeIntentHandler, DeleteIntentHandler, PauseIntentHandler, RunCycleHandler, CompileIntentHandler, ListIntentsHandler, GetIntentHandler,
    ListDriftsHandler,
  ],
})
export class IntentsModule {}
