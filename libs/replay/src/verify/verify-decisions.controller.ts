import { Controller, Get, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Bus } from '@app/cqrs';
import { ApiEventStream, Caller, Draining, orProblem, RequireCapability, sse, type ServerSentEvent } from '@app/http';
import { GetRun } from '@app/runs/contract';
import { z } from 'zod';
import { RangeParams } from '../moment/moment-params';
import { VerifyDecisions } from './verify-decisions.query';

const VerifyQuery = RangeParams.extend({ runId: z.string().min(1).max(200).optional() });
type VerifyQuery = z.infer<typeof VerifyQuery>;

@Controller('agent/replay/verify')
export class VerifyDecisionsController {
  constructor(
    private readonly bus: Bus,
    private readonly draining: Draining,
  ) {}

  /** Takes every recorded decision of the site again, or those of one run; nothing is written. */
  @Get()
  @RequireCapability('audit:read')
  @ApiEventStream('`progress` events with the position reached, then one `verdict` that names each differing event')
  async verify(@Query({ schema: VerifyQuery }) query: VerifyQuery, @Caller() { siteId }: Caller, @Res() reply: FastifyReply) {
    if (query.runId !== undefined) orProblem(await this.bus.ask(new GetRun(query.runId, { siteId })));
    await sse(reply, (signal) => this.events(siteId, query, signal), { signal: this.draining.signal });
  }

  private async *events(siteId: string, query: VerifyQuery, signal: AbortSignal): AsyncGenerator<ServerSentEvent> {
    for await (const { step, data } of await this.bus.ask(new VerifyDecisions(siteId, query, signal))) yield { event: step, data };
  }
}
