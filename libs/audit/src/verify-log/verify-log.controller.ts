import { Controller, Get, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Bus } from '@app/cqrs';
import { ApiEventStream, Draining, positionParam, RequireCapability, sse, type ServerSentEvent } from '@app/http';
import { z } from 'zod';
import { VerifyLog } from './verify-log.query';

const VerifyQuery = z.strictObject({ after: positionParam.optional() });

@Controller('audit/verify')
export class VerifyLogController {
  constructor(
    private readonly bus: Bus,
    private readonly draining: Draining,
  ) {}

  /** The chain spans all sites, so anybody who may read the audit of one may verify it; the answer holds positions and hashes only. */
  @Get()
  @RequireCapability('audit:read')
  @ApiEventStream('`progress` events with verified and total positions, then one `verdict`')
  async verify(@Query({ schema: VerifyQuery }) { after }: z.infer<typeof VerifyQuery>, @Res() reply: FastifyReply) {
    await sse(reply, (signal) => this.events(signal, after), { signal: this.draining.signal });
  }

  private async *events(signal: AbortSignal, after?: bigint): AsyncGenerator<ServerSentEvent> {
    for await (const { step, data } of await this.bus.ask(new VerifyLog(signal, after))) yield { event: step, data };
  }
}
