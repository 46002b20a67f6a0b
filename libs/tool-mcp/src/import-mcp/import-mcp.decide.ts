import { accept, missing, type Decision } from '@app/kernel';
import type { Governance, GovernanceEvent, Site, ToolDefinition } from '@app/governance/contract';
import { TOOL_CHANGED } from '../disable-changed-tool/disable-changed-tool.decide';
import type { McpImport } from './import-mcp.command';

/** What was read from the server, ready to be registered. `isWhole`: it told everything, so what is not there is gone. */
export type Read = {
  readonly server: string;
  readonly transport: Site['mcpServers'][string];
  readonly definitions: readonly ToolDefinition[];
  readonly upstreamNames: ReadonlySet<string>;
  readonly isWhole: boolean;
  readonly skipped: McpImport['skipped'];
  readonly findings: McpImport['findings'];
};

/**
 * New tools are registered; a tool that is described differently than before is registered anew and disabled, and one that is gone is disabled,
 * until an administrator enables it. A name that stands for anything else stays what it is.
 */
export const importMcp = (state: Governance, read: Read): Decision<{ readonly governance: readonly GovernanceEvent[] }> => {
  if (state.status === 'none') return missing();
  const { server, transport, findings } = read;
  const imported: string[] = [];
  const changed: string[] = [];
  const skipped = [...read.skipped];
  const events: GovernanceEvent[] = [];
  for (const definition of read.definitions) {
    const { name } = definition;
    const before = Object.hasOwn(state.tools, name) ? state.tools[name]!.definition : undefined;
    if (!before) {
      imported.push(name);
      events.push({ type: 'ToolRegistered', data: { tool: definition } });
    } else if (before.mcp?.server !== server || before.mcp.tool !== definition.mcp!.tool) {
      skipped.push({ name, reason: 'There is another tool of this name' });
    } else if (before.mcp.digest !== definition.mcp!.digest) {
      changed.push(name);
      const { requiredCapabilities } = before;
      events.push({ type: 'ToolRegistered', data: { tool: { ...definition, requiredCapabilities } } }, { type: 'ToolDisabled', data: { name, reason: TOOL_CHANGED } });
    }
  }
  for (const { definition, enabled } of Object.values(state.tools)) {
    const { name, mcp } = definition;
    if (!read.isWhole || !enabled || mcp?.server !== server || read.upstreamNames.has(mcp.tool)) continue;
    changed.push(name);
    events.push({ type: 'ToolDisabled', data: { name, reason: TOOL_CHANGED } });
  }
  return accept({ governance: [...events, { type: 'McpServerImported', data: { server, transport, imported, changed, skipped, findings: [...findings] } }] });
};
