import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { may } from '@app/kernel';
import { ApiAnswer, ApiList, booleanParam, Caller, listAnswer, ListQuery, orProblem, RequireCapability } from '@app/http';
import { DryRunBody, DryRunToolCall, DryRunView } from '@app/tool-calls/contract';
import { z } from 'zod';
import { GetTool } from '../get-tool/get-tool.query';
import { ToolDetail } from '../get-tool/tool-detail.view';
import { PutTool, PutToolBody } from '../put-tool/put-tool.command';
import { RemoveOverride } from '../remove-override/remove-override.command';
import { ListTools } from './list-tools.query';
import { ToolView } from './tool.view';

const ToolsQuery = ListQuery.omit({ sort: true }).extend({
  disabled: booleanParam.optional(),
  usable: booleanParam.describe('Only tools whose capabilities this key, and its role, hold').optional(),
});

@Controller('agent/tools')
export class ToolsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @ApiList(ToolView)
  async list(@Query({ schema: ToolsQuery }) { limit, cursor, disabled = false, usable = false }: z.infer<typeof ToolsQuery>, @Caller() { siteId, principal }: Caller) {
    const usableBy = usable ? { agentRole: principal.agentRole, bounds: [principal.capabilities] } : undefined;
    return listAnswer(await this.bus.ask(new ListTools(siteId, { limit, cursor, disabled, usableBy })));
  }

  @Get(':name')
  @ApiAnswer(ToolDetail)
  async get(@Param('name') name: string, @Caller() { siteId, principal }: Caller) {
    return orProblem(await this.bus.ask(new GetTool(siteId, name, may(principal, 'tools:write'))));
  }

  @Put(':name')
  @RequireCapability('tools:write')
  @ApiAnswer(ToolView)
  async put(@Param('name') name: string, @Body({ schema: PutToolBody }) body: PutToolBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new PutTool(name, body, caller.context())));
  }

  @Post(':name/dry-run')
  @ApiAnswer(DryRunView)
  async dryRun(@Param('name') name: string, @Body({ schema: DryRunBody }) body: DryRunBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.ask(new DryRunToolCall(name, body, caller.principal, caller.context())));
  }

  @Delete(':name')
  @RequireCapability('tools:write')
  @ApiAnswer(ToolView)
  async remove(@Param('name') name: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new RemoveOverride(name, caller.context())));
  }
}
