import { Controller, Delete, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiOperation, ApiResponse } from '@nestjs/swagger';
import { Bus } from '@app/cqrs';
import { Executor } from '@app/event-store';
import { governance, type Site } from '@app/governance/contract';
import { AcceptAnyRunToken, Caller, Draining, orProblem, ProblemException } from '@app/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RunId } from '../call/call-wishes.schema';
import { isForbiddenSkill } from '../deny-control-plane/control-plane-call.policy';
import { DenyControlPlane } from '../deny-control-plane/deny-control-plane.command';
import { exchange } from './exchange';
import { ForeignOrigins } from './foreign-origins';
import { McpServers } from './mcp-servers';
import { originRefusal } from './origin.policy';
import { calledTools } from './called-tools';

const MESSAGE = { schema: { type: 'object' as const, description: 'A JSON-RPC message of the Model Context Protocol' } };

/**
 * The Model Context Protocol over streamable HTTP. Keys, tokens, limits of the body and headers are those of every route; what a request asks for
 * goes to the official server, and from there to the door.
 */
@Controller('mcp')
@AcceptAnyRunToken()
export class McpController {
  constructor(
    private readonly bus: Bus,
    private readonly executor: Executor,
    private readonly servers: McpServers,
    private readonly draining: Draining,
    private readonly foreign: ForeignOrigins,
  ) {}

  @Post()
  @HttpCode(200)
  @ApiOperation({ description: 'Revision 2026-07-28 without sessions, and the 2025 revisions with initialize. 404 unless contentOs.mcp is on. X-Run-Id names the run of a call.' })
  @ApiBody(MESSAGE)
  @ApiResponse({ status: 200, description: 'The answer', content: { 'application/json': MESSAGE, 'text/event-stream': { schema: { type: 'string' } } } })
  post(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Caller() caller: Caller) {
    return this.serve(request, reply, caller);
  }

  @Get()
  @ApiOperation({ description: '405: there are no sessions, and nothing is sent unasked.' })
  @ApiResponse({ status: 405, description: 'Not allowed' })
  get(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Caller() caller: Caller) {
    return this.serve(request, reply, caller);
  }

  @Delete()
  @ApiOperation({ description: '405: there are no sessions to end.' })
  @ApiResponse({ status: 405, description: 'Not allowed' })
  delete(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Caller() caller: Caller) {
    return this.serve(request, reply, caller);
  }

  private async serve(request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<void> {
    const { headers, raw, method, body } = request;
    const refusal = this.foreign.allow(headers.origin) ? undefined : originRefusal(headers.origin, headers.host, raw.socket.localAddress);
    if (refusal !== undefined) throw new ProblemException(403, 'FORBIDDEN', refusal, { kept: false });
    const site = await this.siteOf(caller);
    if (method === 'POST' && body === undefined) throw new ProblemException(400, 'VALIDATION_FAILED', 'Send a JSON-RPC message.', { kept: false });
    const runId = runIdIn(headers['x-run-id']);
    await this.keepOffControlPlane(body, site, runId, caller);
    const authInfo = { token: '', clientId: caller.principal.id, scopes: [], extra: { request: { caller, site, runId } } };
    await exchange(this.servers.handler, request, reply, this.draining.signal, authInfo);
  }

  private async siteOf({ siteId }: Caller): Promise<Site> {
    const { state } = await this.executor.current(governance, siteId);
    if (state.status === 'none' || !state.flags.mcp) throw new ProblemException(404, 'NOT_FOUND', 'MCP is off on this site; an admin turns it on with contentOs.mcp in the settings.', { kept: false });
    return state;
  }

  /** Before the door, and before anything else of the request is carried out: one such call in a batch refuses all of it. */
  private async keepOffControlPlane(body: unknown, site: Site, runId: string | undefined, caller: Caller): Promise<void> {
    const tool = calledTools(body).find((name) => isForbiddenSkill(site, name, caller.principal));
    if (tool !== undefined) orProblem(await this.bus.send(new DenyControlPlane(tool, caller.principal.onlyRun ?? runId, caller.principal, caller.context('denied'))));
  }
}

const runIdIn = (header: string | string[] | undefined): string | undefined => {
  if (header === undefined) return undefined;
  const read = RunId.safeParse(header);
  if (!read.success) throw ProblemException.invalid([{ pointer: '/X-Run-Id', detail: 'The id of a run' }]);
  return read.data;
};
