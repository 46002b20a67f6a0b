import { Controller, Get, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Bus } from '@app/cqrs';
import { EventStore } from '@app/event-store';
import { AcceptRunToken, ApiEventStream, Caller, Draining, LastEventId, orProblem, sse, type ServerSentEvent } from '@app/http';
import type { Recorded } from '@app/kernel';
import { GetRun } from '../run-view/get-run.query';
import { runEventView } from './run-event.view';

@Controller('agent/runs')
export class RunStreamController {
  constructor(
    private readonly bus: Bus,
    private readonly store: EventStore,
    private readonly draining: Draining,
  ) {}

  /** The run's events from the beginning or after `Last-Event-ID`, then as they happen. The event name is the event's type. */
  @Get(':runId/stream')
  @AcceptRunToken()
  @ApiEventStream()
  async stream(@Param('runId') runId: string, @LastEventId() after: bigint | undefined, @Caller() { siteId }: Caller, @Res() reply: FastifyReply) {
    orProblem(await this.bus.ask(new GetRun(runId, { siteId })));
    await sse(reply, (signal) => this.events(`run-${runId}`, after ?? 0n, signal), { signal: this.draining.signal });
  }

  /** History comes from the stream itself, so an old run costs no walk over the whole log; the live part starts at the head read before it. */
  private async *events(streamId: string, after: bigint, signal: AbortSignal): AsyncIterable<ServerSentEvent> {
    let seen = await this.store.head();
    for await (const event of this.store.read(streamId)) {
      if (event.position > seen) seen = event.position;
      if (event.position > after) yield sent(event);
    }
    for await (const page of this.store.follow(seen > after ? seen : after, { filter: { streamId }, signal })) yield* page.map(sent);
  }
}

const sent = (event: Recorded): ServerSentEvent => ({ id: String(event.position), event: event.type, data: runEventView(event) });
