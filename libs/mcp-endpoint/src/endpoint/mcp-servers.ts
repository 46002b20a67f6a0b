import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Executor } from '@app/event-store';
import { missing, type Outcome, type Principal } from '@app/kernel';
import { isOpened, run as runAggregate } from '@app/runs/contract';
import { capabilitiesOf, principal as principalAggregate } from '@app/sites/contract';
import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server, type McpHttpHandler } from '@modelcontextprotocol/server';
import { InClientApprovals } from '../approve-in-client/in-client-approvals';
import { McpCalls } from '../call/mcp-calls';
import { approvalStatusTool, listedTool } from '../offer/listed-tool.view';
import { offeredTools, type Holder } from '../offer/offered-tools.policy';
import type { McpRequest } from './mcp-request';

const INFO = { name: 'agent-harness', title: 'Agent Harness', version: '1' };
const INSTRUCTIONS = [
  'Every call is decided by the rules of this site. A result with status pending_approval is no failure: a person has been asked. Do not repeat the call;',
  'ask approval_status with its approvalId, or go on with something else. A denied call says why; asking again changes nothing.',
].join(' ');
/** Nothing is announced on such streams, so they are allowed for the sake of clients that open one anyway. */
const MOST_SUBSCRIPTIONS = 64;

/** The official server, made anew for every request: who asks decides what there is. No session, so any process answers any request. */
@Injectable()
export class McpServers implements OnModuleDestroy {
  private readonly log = new Logger('Mcp');
  readonly handler: McpHttpHandler;

  constructor(
    private readonly executor: Executor,
    private readonly calls: McpCalls,
    private readonly inClient: InClientApprovals,
  ) {
    const options = { maxSubscriptions: MOST_SUBSCRIPTIONS, onerror: (error: Error) => this.log.debug(error.message) };
    this.handler = createMcpHandler(({ authInfo }) => this.serverFor(authInfo?.extra?.['request'] as McpRequest), options);
  }

  onModuleDestroy = (): Promise<void> => this.handler.close();

  private async serverFor(request: McpRequest): Promise<Server> {
    const { verify } = await this.inClient.codec();
    const server = new Server(INFO, { capabilities: { tools: {} }, instructions: INSTRUCTIONS, requestState: { verify } });
    server.setRequestHandler('tools/list', async () => {
      const holder = await this.holderOf(request);
      if (!holder.ok) throw new ProtocolError(ProtocolErrorCode.InvalidParams, holder.rejection.detail);
      return { tools: [approvalStatusTool, ...offeredTools(request.site, holder.data).filter(({ name }) => name !== approvalStatusTool.name).map(listedTool)] as never[] };
    });
    server.setRequestHandler('tools/call', async ({ params }, exchange) => (await this.calls.answer(request, params, exchange)) as never);
    return server;
  }

  /** What the door would look at: the capabilities of whoever owns the run, and the bounds and the role of the run itself. */
  private async holderOf({ caller: { principal, siteId, context }, runId = principal.onlyRun }: McpRequest): Promise<Outcome<Holder>> {
    const { roles, capabilities, agentRole } = principal;
    if (runId === undefined) return { ok: true, data: { roles, capabilities, bounds: capabilities, agentRole }, position: 0n };
    const { state, position } = await this.executor.current(runAggregate, runId);
    if (!isOpened(state) || state.envelope.context.siteId !== siteId || !mayUse(state.envelope.principalId, principal)) return missing();
    const owner = await this.executor.current(principalAggregate, state.envelope.principalId);
    return { ok: true, data: { roles, capabilities: capabilitiesOf(owner.state, context().now), bounds: state.envelope.capabilities, agentRole: state.agentRole }, position };
  }
}

const mayUse = (ownerId: string, { id, roles }: Principal) => ownerId === id || roles.includes('admin');
