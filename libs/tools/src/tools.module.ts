import { Module } from '@nestjs/common';
import { GetToolHandler } from './get-tool/get-tool.handler';
import { PutToolHandler } from './put-tool/put-tool.handler';
import { ListRunToolsHandler } from './run-tools/list-run-tools.handler';
import { RunToolsController } from './run-tools/run-tools.controller';
import { RemoveOverrideHandler } from './remove-override/remove-override.handler';
import { ListToolsHandler } from './tool-list/list-tools.handler';
import { ToolsController } from './tool-list/tools.controller';

@Module({ controllers: [ToolsController, RunToolsController], providers: [ListRunToolsHandler, PutToolHandler, RemoveOverrideHandler, GetToolHandler, ListToolsHandler] })
export class ToolsModule {}
