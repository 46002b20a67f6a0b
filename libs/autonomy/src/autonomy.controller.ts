import { Body, Controller, Get, Put, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiAnswer, ApiList, Caller, listAnswer, ListQuery, MinPosition, orProblem, ProblemException, ReadQuery, RequireCapability } from '@app/http';
import { z } from 'zod';
import { GetAutonomy, ListLevelChanges } from './autonomy-view/autonomy-queries.query';
import { AutonomyView, GrantView, LevelChangeView } from './autonomy-view/grant.view';
import { GrantAutonomy, GrantAutonomyBody } from './grant-autonomy/grant-autonomy.command';

const text = z.string().min(1).max(100).optional();
const HistoryQuery = ListQuery.omit({ sort: true }).extend({ agentRole: text, capability: text });

@Controller('agent/autonomy')
export class AutonomyController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @ApiAnswer(AutonomyView)
  async get(@Query({ schema: ReadQuery }) _query: z.infer<typeof ReadQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() caller: Caller) {
    return orProblem(await this.bus.ask(new GetAutonomy(caller.siteId, caller.context().now, minPosition)));
  }

  @Get('history')
  @ApiList(LevelChangeView)
  async history(@Query({ schema: HistoryQuery }) { limit, cursor, agentRole, capability }: z.infer<typeof HistoryQuery>, @Caller() { siteId }: Caller) {
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw ProblemException.invalid([{ pointer: '/cursor', detail: 'nextCursor of the page before' }]);
    return listAnswer(await this.bus.ask(new ListLevelChanges(siteId, { limit, before: cursor === undefined ? undefined : Number(cursor), agentRole, capability })));
  }

  @Put('grants')
  @RequireCapability('autonomy:write')
  @ApiAnswer(GrantView)
  async grant(@Body({ schema: GrantAutonomyBody }) body: GrantAutonomyBody, @Caller() caller: Caller) {
    return orProblem(await this.bus.send(new GrantAutonomy(body, caller.principal, caller.context())));
  }
}
