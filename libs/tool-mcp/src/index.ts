export { Upstreams } from './connection/upstreams';
export { McpTools } from './mcp-tools';
export { ToolMcpModule } from './tool-mcp.module';
