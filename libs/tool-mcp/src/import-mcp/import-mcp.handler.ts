import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Executor } from '@app/event-store';
import { governance, type Site } from '@app/governance/contract';
import { missing, reject, type Context, type Outcome, type Rejected } from '@app/kernel';
import type { Listing } from '../connection/listing';
import { UpstreamError } from '../connection/upstream-error';
import { Upstreams } from '../connection/upstreams';
import { KnownLooks } from '../upstream-tool/look-alike.policy';
import { ImportMcpServer, type ImportMcpBody, type McpImport } from './import-mcp.command';
import { importMcp, type Read } from './import-mcp.decide';
import { McpImportOptions } from './mcp-import-options';
import { credentialFaults } from './plain-credentials.policy';
import { readTools } from './read-tools';

/** From the connection to the last page of the list. */
const IMPORT_MS = 30_000;

@CommandHandler(ImportMcpServer)
export class ImportMcpHandler implements ICommandHandler<ImportMcpServer> {
  constructor(
    private readonly executor: Executor,
    private readonly upstreams: Upstreams,
    private readonly options: McpImportOptions,
  ) {}

  /** The server is read before anything is decided, and a repeated command reads it again; what the log holds of the first one stands. */
  async execute({ body, platformAdmin, context }: ImportMcpServer): Promise<Outcome<McpImport>> {
    const refused = this.refusal(body, platformAdmin);
    if (refused) return refused;
    const { state: site } = await this.executor.current(governance, context.siteId);
    if (site.status === 'none') return missing();
    const listing = await this.listingOf(body, site);
    if ('ok' in listing) return listing;
    return this.register(await this.read(body, listing, site), context);
  }

  private refusal({ transport }: ImportMcpBody, platformAdmin: boolean): Rejected | undefined {
    if (transport.type === 'stdio' && !platformAdmin) return reject('forbidden', 'FORBIDDEN', 'A stdio server is a program on this machine; only a platform admin imports one.');
    if (transport.type === 'stdio' && !this.options.stdio) return reject('forbidden', 'FORBIDDEN', 'This installation starts no programs. Set HARNESS_MCP_STDIO=on to allow stdio servers.');
    const errors = credentialFaults(transport);
    return errors.length > 0 ? reject('invalid', 'VALIDATION_FAILED', 'Credentials must be named, not written out.', { errors }) : undefined;
  }

  private async listingOf({ server, transport }: ImportMcpBody, { siteId, settings }: Site): Promise<Listing | Rejected> {
    const upstream = this.upstreams.apart({ siteId, server, transport: transport as Site['mcpServers'][string], allowHosts: settings.outbound.allowHosts });
    try {
      return await upstream.list(AbortSignal.timeout(IMPORT_MS));
    } catch (error) {
      if (error instanceof UpstreamError) return rejectionOf(error);
      throw error;
    } finally {
      await upstream.close();
    }
  }

  private async read({ server, transport, prefix = '', defaults = {} }: ImportMcpBody, listing: Listing, { tools }: Site): Promise<Read> {
    const others = Object.values(tools).filter(({ definition }) => definition.mcp?.server !== server);
    const looks = new KnownLooks(others.map(({ definition }) => definition.name));
    const terms = { server, prefix, requiredCapabilities: defaults.requiredCapabilities ?? [capabilityOf(server)], risk: defaults.risk };
    return { server, transport: transport as Site['mcpServers'][string], ...(await readTools(listing, terms, looks)) };
  }

  private async register(read: Read, context: Context): Promise<Outcome<McpImport>> {
    let told: McpImport | undefined;
    const refs = { governance: { aggregate: governance, id: context.siteId } };
    const done = await this.executor.execute(refs, context, ({ governance: state }) => {
      const decision = importMcp(state, read);
      const last = decision.ok ? decision.events.governance.at(-1) : undefined;
      told = last?.type === 'McpServerImported' ? last.data : undefined;
      return decision;
    });
    if (!done.ok) return done;
    const { imported, changed, skipped, findings } = told!;
    return { ok: true, data: { imported: [...imported], changed: [...changed], skipped: [...skipped], findings: [...findings] }, position: done.position };
  }
}

/** Capabilities are in lower case; `Git_Hub` and `git-hub` share one. */
const capabilityOf = (server: string) => `mcp:${server.toLowerCase().replaceAll('_', '-')}`;

/** What the caller can mend is theirs; what the server does not do is its own. */
const rejectionOf = ({ code, sentence }: UpstreamError): Rejected => {
  const mendable = ['ADDRESS_REFUSED', 'REDIRECT_REFUSED', 'REQUEST_INVALID', 'SECRET_UNAVAILABLE'].includes(code);
  return mendable ? reject('invalid', 'VALIDATION_FAILED', sentence, { upstream: code }) : reject('unavailable', 'UNAVAILABLE', sentence, { upstream: code });
};
