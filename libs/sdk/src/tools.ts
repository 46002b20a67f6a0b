import type { ImportMcpBody, McpImport } from '@app/tool-mcp/contract';
import type { PutToolBody, ToolView } from '@app/tools/contract';
import type { ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';

/** A tool as the door sees it on this site. */
export type Tool = Readonly<ToolView>;

/** An upstream MCP server and how it is reached. Credentials are named, `secret://name`, never written out. */
export type McpServerImport = ImportMcpBody;
/** What an import did: new tools, tools that changed and are disabled until they are reviewed, tools that could not be used, and suspicions. */
export type McpImportResult = Readonly<McpImport>;

/** An own tool of the site, whole; for a core skill, any part of its governance. Needs `tools:write`. */
export type ToolDefinition = PutToolBody;

export class Tools {
  constructor(private readonly transport: Transport) {}

  get = async (name: string, options?: ReadOptions): Promise<Tool> => (await this.transport.read<Tool>(path`/agent/tools/${name}`, options)).data;
  put = (name: string, definition: ToolDefinition, options?: WriteOptions): Promise<Answer<Tool>> => this.transport.write('PUT', path`/agent/tools/${name}`, definition, options);

  /** `usable`: only those whose capabilities this key, and its role, hold. */
  list = (query: ListQuery & { readonly usable?: boolean } = {}): Promise<Page<Tool>> => this.transport.page('/agent/tools', { query });

  /** Registers the tools of an upstream server as `<server>.<tool>`. Needs `tools:write`; a program (`stdio`) needs a platform admin. */
  importMcp = (server: McpServerImport, options?: WriteOptions): Promise<Answer<McpImportResult>> => this.transport.write('POST', '/agent/tools/import/mcp', server, options);
}
