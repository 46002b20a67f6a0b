import { Module } from '@nestjs/common';
import { PutToolHandler } from './put-tool/put-tool.handler';
import { ListToolsHandler } from './tool-list/list-tools.handler';
import { ToolsController } from './tool-list/tools.controller';

@Module({ controllers: [ToolsController], providers: [PutToolHandler, ListToolsHandler] })
export class ToolsModule {}
