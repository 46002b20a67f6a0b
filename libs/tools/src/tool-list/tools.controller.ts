import { Body, Controller, Get, Param, Put, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, ApiList, booleanParam, Caller, listAnswer, ListQuery, orProblem, RequireCapability } from '@app/http';
import { z } from 'zod';
import { PutTool, PutToolBody } from '../put-tool/put-tool.command';
import { ListTools } from './list-tools.query';
import { ToolView } from './tool.view';

const ToolsQuery = ListQuery.omit({ sort: true }).extend({ disabled: booleanParam.optional() });

@Controller('agent/tools')
export class ToolsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @ApiList(ToolView)
  async list(@Query({ schema: ToolsQuery }) { limit, cursor, disabled = false }: z.infer<typeof ToolsQuery>, @Caller() { siteId }: Caller) {
    return listAnswer(await this.bus.ask(new ListTools(siteId, { limit, cursor, disabled })));
  }

  @Put(':name')
  @RequireCapability('tools:write')
  @ApiAnswer(ToolView)
  async put(@Param('name') name: string, @Body({ schema: PutToolBody }) body: PutToolBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new PutTool(name, body, caller.context())));
  }
}
