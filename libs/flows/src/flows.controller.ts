import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, ApiList, Caller, listAnswer, ListQuery, MinPosition, orProblem, RequireCapability } from '@app/http';
import type { z } from 'zod';
import { ChangeFlow, ChangeFlowBody } from './change-flow/change-flow.command';
import { DefineFlow, DefineFlowBody } from './define-flow/define-flow.command';
import { DeletedFlow, DeleteFlow } from './delete-flow/delete-flow.command';
import { GetFlow, ListFlows } from './flow-list/flow-queries.query';
import { FlowView } from './flow-list/flow.view';
import { StartedFlow, StartFlow } from './start-flow/start-flow.command';

const FlowsQuery = ListQuery.omit({ sort: true });

@Controller('agent/flows')
export class FlowsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @RequireCapability('flows:read')
  @ApiList(FlowView)
  async list(@Query({ schema: FlowsQuery }) { limit, cursor }: z.infer<typeof FlowsQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() { siteId }: Caller) {
    return listAnswer(await this.bus.ask(new ListFlows(siteId, { limit, cursor, minPosition })));
  }

  @Post()
  @RequireCapability('flows:write')
  @ApiAnswer(FlowView, { status: 201 })
  async define(@Body({ schema: DefineFlowBody }) body: DefineFlowBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new DefineFlow(body, caller.principal, caller.context())));
  }

  @Get(':flowId')
  @RequireCapability('flows:read')
  @ApiAnswer(FlowView)
  async get(@Param('flowId') flowId: string, @Caller() { siteId }: Caller) {
    return orProblem(await this.bus.ask(new GetFlow(flowId, siteId)));
  }

  @Put(':flowId')
  @RequireCapability('flows:write')
  @ApiAnswer(FlowView)
  async change(@Param('flowId') flowId: string, @Body({ schema: ChangeFlowBody }) body: ChangeFlowBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new ChangeFlow(flowId, body, caller.principal, caller.context())));
  }

  @Delete(':flowId')
  @RequireCapability('flows:write')
  @ApiAnswer(DeletedFlow)
  async remove(@Param('flowId') flowId: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new DeleteFlow(flowId, caller.context())));
  }

  @Post(':flowId/run')
  @RequireCapability('flows:run')
  @ApiAnswer(StartedFlow, { status: 201 })
  async run(@Param('flowId') flowId: string, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new StartFlow(flowId, 'manual', caller.context())));
  }
}
