import { Controller, Get, Query, Res } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { AnswersLines, Caller, NDJSON, ndjson, positionParam, RequireCapability } from '@app/http';
import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { AuditEventsFilter } from '../audit-events/list-audit-events.query';
import { ExportAuditEvents } from './export-audit-events.query';

const ExportQuery = AuditEventsFilter.extend({ after: positionParam.optional() });

@Controller('audit/export')
export class AuditExportController {
  constructor(private readonly bus: Bus) {}

  /** Events of the site in the order of the log, up to its head at the time of asking, which `X-Position` names: the next export goes on `after` it. */
  @Get()
  @RequireCapability('audit:read')
  @AnswersLines('One CloudEvent a line; a failure on the way ends the text with a line that holds the problem')
  async get(@Query({ schema: ExportQuery }) { after = 0n, ...filter }: z.infer<typeof ExportQuery>, @Caller() { siteId }: Caller, @Res({ passthrough: true }) reply: FastifyReply) {
    const { events, position } = await this.bus.ask(new ExportAuditEvents(filter, { siteId }, after));
    void reply.type(`${NDJSON}; charset=utf-8`).header('x-position', String(position));
    return ndjson(events);
  }
}
