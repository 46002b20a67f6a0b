export { mcpEvents, type McpEvent } from './mcp-access.events';
export { mcpAccess, type McpAccess } from './mcp-access.state';
