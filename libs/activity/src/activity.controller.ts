import { Controller, Get, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiList, Caller, listAnswer, ListQuery, MinPosition } from '@app/http';
import { z } from 'zod';
import { ACTIVITY_KINDS, ActivityView } from './activity.view';
import { ListActivity } from './list-activity.query';

const ActivityQuery = ListQuery.omit({ sort: true }).extend({ kind: z.enum(ACTIVITY_KINDS).optional(), subjectId: z.string().min(1).max(100).optional() });

@Controller('agent/activity')
export class ActivityController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @ApiList(ActivityView, { description: 'What happened on the site, newest first' })
  async list(@Query({ schema: ActivityQuery }) query: z.infer<typeof ActivityQuery>, @MinPosition() minPosition: bigint | undefined, @Caller() { siteId }: Caller) {
    return listAnswer(await this.bus.ask(new ListActivity(siteId, { ...query, minPosition })));
  }
}
