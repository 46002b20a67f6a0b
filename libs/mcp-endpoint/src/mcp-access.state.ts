import type { Aggregate } from '@app/kernel';
import type { McpEvent } from './mcp-access.events';

/** How often a principal was turned away before the door. */
export type McpAccess = { readonly denied: number; readonly lastTool: string | null };

export const mcpAccess: Aggregate<McpAccess, McpEvent> = {
  category: 'mcp',
  stateVersion: 1,
  initial: { denied: 0, lastTool: null },
  evolve: ({ denied }, { data: { tool } }) => ({ denied: denied + 1, lastTool: tool }),
};
