import { Controller, Get, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { EventStore } from '@app/event-store';
import { ApiEventStream, Caller, Draining, LastEventId, positionParam, RequireCapability, sse, type ServerSentEvent } from '@app/http';
import type { Recorded } from '@app/kernel';
import type { z } from 'zod';
import { AuditEventsFilter } from '../audit-events/list-audit-events.query';

const StreamQuery = AuditEventsFilter.pick({ streamId: true, type: true }).extend({ after: positionParam.optional() });
type StreamQuery = z.infer<typeof StreamQuery>;

@Controller('audit/stream')
export class AuditStreamController {
  constructor(
    private readonly store: EventStore,
    private readonly draining: Draining,
  ) {}

  /** The site's events as they are appended. Begins with the next one, or behind `Last-Event-ID` or `after`. The event name is the type. */
  @Get()
  @RequireCapability('audit:read')
  @ApiEventStream('The events of the site as they are appended; resumes after Last-Event-ID')
  async stream(
    @Query({ schema: StreamQuery }) query: StreamQuery,
    @LastEventId() lastEventId: bigint | undefined,
    @Caller() { siteId }: Caller,
    @Res() reply: FastifyReply,
  ) {
    const after = lastEventId ?? query.after ?? (await this.store.head());
    await sse(reply, (signal) => this.events(siteId, after, query, signal), { signal: this.draining.signal });
  }

  private async *events(siteId: string, after: bigint, { streamId, type }: StreamQuery, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
    const filter = { siteId, ...(streamId !== undefined && { streamId }), ...(type !== undefined && { types: type }) };
    for await (const page of this.store.follow(after, { filter, signal })) yield* page.map(sent);
  }
}

const sent = (event: Recorded): ServerSentEvent => ({ id: String(event.position), event: event.type, data: { ...event, actor: event.metadata.actor } });
