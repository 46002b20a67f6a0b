export { ImportMcpBody, ImportMcpServer, McpImport, McpServerName } from './import-mcp/import-mcp.command';
