import { accept, type Decision } from '@app/kernel';
import type { Governance, GovernanceEvent, ToolDefinition } from '@app/governance/contract';

export const TOOL_CHANGED = 'tool_changed';

/**
 * Takes a tool out of use whose server describes it differently now. With the new definition, when there is one that can be registered: it is
 * what an administrator then sees, and what counts once they enable the tool. A tool that was reviewed or disabled meanwhile is left alone.
 */
export const disableChanged = (state: Governance, name: string, digest: string | undefined, changed: ToolDefinition | undefined): Decision<{ readonly governance: readonly GovernanceEvent[] }> => {
  const known = state.status === 'site' && Object.hasOwn(state.tools, name) ? state.tools[name] : undefined;
  if (!known?.enabled || known.definition.mcp?.digest !== digest) return accept({ governance: [] });
  const { requiredCapabilities } = known.definition;
  return accept({
    governance: [
      ...(changed ? [{ type: 'ToolRegistered', data: { tool: { ...changed, requiredCapabilities } } } as const] : []),
      { type: 'ToolDisabled', data: { name, reason: TOOL_CHANGED } } as const,
    ],
  });
};
