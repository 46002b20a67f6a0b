import type { DryRunView } from '@app/tool-calls/contract';
import type { ImportMcpBody, McpImport } from '@app/tool-mcp/contract';
import type { PutToolBody, ToolDetail, ToolView } from '@app/tools/contract';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';

/** A tool as the door sees it on this site. */
export type Tool = Readonly<ToolView>;
/** With what the site overrode, and where the tool lives for those who may register tools. */
export type ToolSettings = Readonly<ToolDetail>;

/** An upstream MCP server and how it is reached. Credentials are named, `secret://name`, never written out. */
export type McpServerImport = ImportMcpBody;
/** What an import did: new tools, tools that changed and are disabled until they are reviewed, tools that could not be used, and suspicions. */
export type McpImportResult = Readonly<McpImport>;

/** An own tool of the site, whole; for a core skill, any part of its governance. Needs `tools:write`. */
export type ToolDefinition = PutToolBody;

/** `usable`: only those whose capabilities this key, and its role, hold. `disabled`: those that are switched off as well. */
export type ToolQuery = ListQuery & { readonly usable?: boolean | undefined; readonly disabled?: boolean | undefined };

/** A call to try: on a run that is open, or on one that this key would open now under a role. */
export type ToolTrial = {
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
  readonly runId?: string | undefined;
  readonly role?: string | undefined;
};
/** What the door would decide, and why. */
export type ToolDryRun = DryRunView;

export class Tools {
  constructor(private readonly transport: Transport) {}

  list = (query: ToolQuery = {}, options: ReadOptions = {}): Promise<Page<Tool>> => this.transport.page('/agent/tools', { ...options, query });

  each = (query: ToolQuery = {}, options: ReadOptions = {}): AsyncGenerator<Tool> => everyRow((cursor) => this.list({ ...query, cursor }, options));

  get = async (name: string, options?: ReadOptions): Promise<ToolSettings> => (await this.transport.read<ToolSettings>(path`/agent/tools/${name}`, options)).data;

  put = (name: string, definition: ToolDefinition, options?: WriteOptions): Promise<Answer<Tool>> => this.transport.write('PUT', path`/agent/tools/${name}`, definition, options);

  /** Takes back what the site overrode of a core skill, or removes a tool of its own. Needs `tools:write`. */
  remove = (name: string, options?: WriteOptions): Promise<Answer<Tool>> => this.transport.write('DELETE', path`/agent/tools/${name}`, undefined, options);

  /** Asks the door without acting: nothing is recorded, and nothing runs. */
  dryRun = (name: string, trial: ToolTrial = {}, options?: WriteOptions): Promise<Answer<ToolDryRun>> => this.transport.write('POST', path`/agent/tools/${name}/dry-run`, trial, options);

  /** Registers the tools of an upstream server as `<server>.<tool>`. Needs `tools:write`; a program (`stdio`) needs a platform admin. */
  importMcp = (server: McpServerImport, options?: WriteOptions): Promise<Answer<McpImportResult>> => this.transport.write('POST', '/agent/tools/import/mcp', server, options);
}
