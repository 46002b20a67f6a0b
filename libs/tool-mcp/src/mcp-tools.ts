import { Executor } from '@app/event-store';
import { governance, type EffectiveTool } from '@app/governance/contract';
import { ToolHandlers, type CallContext, type CallTarget, type Change } from '@app/tool-calls/contract';
import type { Offered, Upstream } from './connection/upstream';
import { UpstreamError } from './connection/upstream-error';
import type { Upstreams } from './connection/upstreams';
import { disableChangedTool } from './disable-changed-tool/disable-changed-tool';
import { toolResult } from './tool-result';

/** Lets a server recognise a call that it has served already; the protocol has no field of its own for this. */
const IDEMPOTENCY_KEY = 'agent-harness/idempotency-key';

/** The handlers behind the door for tools of kind `mcp`: each call goes to the upstream server that offered the tool when it was imported. */
export class McpTools extends ToolHandlers {
  constructor(
    private readonly executor: Executor,
    private readonly upstreams: Upstreams,
  ) {
    super();
  }

  override handles = ({ kind, mcp }: EffectiveTool): boolean => kind === 'mcp' && mcp !== undefined;

  override async run(tool: EffectiveTool, input: Readonly<Record<string, unknown>>, { context, signal }: CallContext): Promise<unknown> {
    const { server, tool: name, digest } = tool.mcp!;
    const { state } = await this.executor.states.load(governance, context.siteId);
    const transport = state.status === 'site' && Object.hasOwn(state.mcpServers, server) ? state.mcpServers[server] : undefined;
    if (state.status === 'none' || !transport) throw new UpstreamError('SERVER_UNKNOWN', `No server ${server} has been imported on this site.`);
    const upstream = this.upstreams.at({ siteId: context.siteId, server, transport, allowHosts: state.settings.outbound.allowHosts });
    const offered = await this.asReviewed(upstream, name, digest, signal);
    if (!offered) throw new UpstreamError('TOOL_GONE', `${server} has no tool ${name} any more.`);
    if (digest === undefined || offered.digest !== digest) {
      await disableChangedTool(this.executor, tool, offered.tool, context);
      throw new UpstreamError('TOOL_CHANGED', `${server} describes ${name} differently than when it was reviewed. The tool is disabled until an administrator has looked.`);
    }
    const answer = await upstream.call(offered.tool, input, { [IDEMPOTENCY_KEY]: context.commandId }, signal);
    return toolResult(answer, server, tool.outputSchema);
  }

  override preview = (): Promise<readonly Change[]> => Promise.resolve([]);

  override target = (): Promise<CallTarget | null> => Promise.resolve(null);

  /** What is remembered may be older than a change that was reviewed since; only a fresh look convicts. */
  private async asReviewed(upstream: Upstream, name: string, digest: string | undefined, signal: AbortSignal): Promise<Offered | undefined> {
    const known = await upstream.offered(name, signal);
    return known !== undefined && known.digest === digest ? known : upstream.offered(name, signal, true);
  }
}
