import { Controller, Get, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiList, Caller, listAnswer, ListQuery, MinPosition } from '@app/http';
import { z } from 'zod';
import { ListStaged } from './list-staged.query';
import { StagedView, STAGING_STATUSES } from './staged.view';

const StagedQuery = ListQuery.omit({ sort: true }).extend({ status: z.enum(STAGING_STATUSES).default('staged'), runId: z.string().min(1).max(100).optional() });

@Controller('agent/staged')
export class ListStagedController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @ApiList(StagedView, { description: 'Changes that wait in their veto window, newest first' })
  async list(@Query({ schema: StagedQuery }) query: z.infer<typeof StagedQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() caller: Caller) {
    return listAnswer(await this.bus.ask(new ListStaged(caller.siteId, { ...query, minPosition, now: caller.context().now })));
  }
}
