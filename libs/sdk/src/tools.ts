import type { ImportMcpBody, McpImport } from '@app/tool-mcp/contract';
import type { ToolView } from '@app/tools/contract';
import type { ListQuery } from './connection/pages';
import type { Answer, Page, Transport, WriteOptions } from './connection/transport';

/** A tool as the door sees it on this site. */
export type Tool = Readonly<ToolView>;

/** An upstream MCP server and how it is reached. Credentials are named, `secret://name`, never written out. */
export type McpServerImport = ImportMcpBody;
/** What an import did: new tools, tools that changed and are disabled until they are reviewed, tools that could not be used, and suspicions. */
export type McpImportResult = Readonly<McpImport>;

export class Tools {
  constructor(private readonly transport: Transport) {}

  list = (query: ListQuery = {}): Promise<Page<Tool>> => this.transport.page('/agent/tools', { query });

  /** Registers the tools of an upstream server as `<server>.<tool>`. Needs `tools:write`; a program (`stdio`) needs a platform admin. */
  importMcp = (server: McpServerImport, options?: WriteOptions): Promise<Answer<McpImportResult>> => this.transport.write('POST', '/agent/tools/import/mcp', server, options);
}
