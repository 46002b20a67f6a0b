import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator, ProblemException, Public } from '@app/http';
import { EXPOSITION_TYPE } from './exposition';
import type { MetricsAccess } from './metrics-access';
import { MetricsEndpoint } from './metrics-endpoint';

/** Injects who may scrape. */
export const ACCESS = Symbol('metrics access');

/** Beside the API. Its own rule says who may read: a scraper of this machine has no key. */
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly endpoint: MetricsEndpoint,
    private readonly keys: Authenticator,
    @Inject(ACCESS) private readonly access: MetricsAccess,
  ) {}

  /** Numbers for Prometheus. Open to this machine where the server listens on loopback; else with a token, or the key of a platform admin. */
  @Get()
  @Public()
  @ApiResponse({ status: 200, description: 'Text format 0.0.4 of Prometheus', content: { 'text/plain': { schema: { type: 'string' } } } })
  async scrape(@Req() { headers }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const isOperator = async (key: string) => (await this.keys.authenticate(key))?.platformAdmin ?? false;
    const text = await this.endpoint.read(headers, { ...this.access, isOperator });
    if (text === null) throw ProblemException.unauthenticated();
    await reply.type(EXPOSITION_TYPE).serializer(String).send(text);
  }
}
