import { Module } from '@nestjs/common';
import { ChangeFlowHandler } from './change-flow/change-flow.handler';
import { DefineFlowHandler } from './define-flow/define-flow.handler';
import { DeleteFlowHandler } from './delete-flow/delete-flow.handler';
import { GetFlowHandler, ListFlowsHandler } from './flow-list/flow-queries.handler';
import { FlowsController } from './flows.controller';
import { StartFlowHandler } from './start-flow/start-flow.handler';

@Module({ controllers: [FlowsController], providers: [DefineFlowHandler, ChangeFlowHandler, DeleteFlowHandler, StartFlowHandler, ListFlowsHandler, GetFlowHandler] })
export class FlowsModule {}
