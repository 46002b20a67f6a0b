export { mcpEvents } from './mcp-access.events';
export { McpEndpointModule } from './mcp-endpoint.module';
