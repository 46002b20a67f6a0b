import { Body, Controller, Get, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { Bus } from '@app/cqrs';
import { newEventId } from '@app/event-store';
import { ApiAnswer, Clock, orProblem, Public } from '@app/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { DecideByLink, DecideByLinkBody, DecidedByLink, ReadLink } from './decide-by-link.command';
import { brokenLinkPage, LINK_PAGE_POLICY, linkPage } from './link-page';

/** Addresses that a message carries. They need no key: the link is what proves who decides, once. */
@Controller('decisions')
export class DecisionsController {
  constructor(
    private readonly bus: Bus,
    private readonly clock: Clock,
  ) {}

  /** Shows the request and decides nothing. */
  @Get(':token')
  @Public()
  @ApiResponse({ status: 200, description: 'The request, and a button', content: { 'text/html': { schema: { type: 'string' } } } })
  async show(@Param('token') token: string, @Res({ passthrough: true }) reply: FastifyReply) {
    const found = await this.bus.ask(new ReadLink(token));
    void reply.status(found.ok ? 200 : 410).type('text/html; charset=utf-8').header('content-security-policy', LINK_PAGE_POLICY).serializer((html: string) => html);
    return found.ok ? linkPage(found.data) : brokenLinkPage(found.rejection.detail);
  }

  /** Decides, once. */
  @Post(':token')
  @Public()
  @HttpCode(200)
  @ApiAnswer(DecidedByLink)
  async decide(@Param('token') token: string, @Body({ schema: DecideByLinkBody }) { reason }: z.infer<typeof DecideByLinkBody>, @Req() request: FastifyRequest) {
    const context = { now: this.clock.now(), correlationId: request.id, commandId: newEventId() };
    return orProblem(await this.bus.send(new DecideByLink(token, reason, context)));
  }
}
