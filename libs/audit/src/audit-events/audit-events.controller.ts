import { Controller, Get, Query } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { ApiList, Caller, listAnswer, ListQuery, MinPosition, ProblemException, RequireCapability, sortParam } from '@app/http';
import { z } from 'zod';
import { AuditEventView } from './audit-event.view';
import { AuditEventsFilter, ListAuditEvents } from './list-audit-events.query';

const EventsQuery = ListQuery.omit({ sort: true }).extend({
  ...AuditEventsFilter.shape,
  siteId: z.string().min(1).max(512).describe('Must be the site of the request; another one is chosen with X-Site-Id').optional(),
  sort: sortParam('position'),
});

@Controller('audit/events')
export class AuditEventsController {
  constructor(private readonly bus: Bus) {}

  @Get()
  @RequireCapability('audit:read')
  @ApiList(AuditEventView, { description: 'Events of the site as they were written, newest first' })
  async list(
    @Query({ schema: EventsQuery }) { limit, cursor, sort, siteId: wanted, minPosition: _read, ...filter }: z.infer<typeof EventsQuery>,
    @MinPosition() minPosition: bigint | undefined,
    @Caller() { siteId }: Caller,
  ) {
    if (wanted !== undefined && wanted !== siteId) throw new ProblemException(403, 'CROSS_SITE', 'Events of another site are read with X-Site-Id, by a key that reaches it.');
    return listAnswer(await this.bus.ask(new ListAuditEvents(filter, { siteId }, { limit, cursor, oldestFirst: sort?.direction === 'asc', minPosition })));
  }
}
