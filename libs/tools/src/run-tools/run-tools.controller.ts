import { Controller, Get, Param, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { AcceptRunToken, ApiList, Caller, ListQuery, listAnswer, orProblem } from '@app/http';
import type { z } from 'zod';
import { ToolView } from '../tool-list/tool.view';
import { ListRunTools } from './list-run-tools.query';

const RunToolsQuery = ListQuery.omit({ sort: true });

@Controller('agent/runs')
export class RunToolsController {
  constructor(private readonly bus: Bus) {}

  /** For whoever drives the run, to be handed to a model as its tools. */
  @Get(':runId/tools')
  @AcceptRunToken()
  @ApiList(ToolView)
  async list(@Param('runId') runId: string, @Query({ schema: RunToolsQuery }) { limit, cursor }: z.infer<typeof RunToolsQuery>, @Caller() caller: Caller) {
    const { principal, siteId } = caller;
    return listAnswer(orProblem(await this.bus.ask(new ListRunTools(runId, principal, siteId, caller.context().now, { limit, cursor }))).data);
  }
}
