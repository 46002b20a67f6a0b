import type { Harness } from '../harness';
import type { ToolDefinition } from '../tools';

/** A tool that an agent has in its own process, as the door is to know it. */
export type ClientTool = Pick<ToolDefinition, 'description' | 'inputSchema' | 'requiredCapabilities' | 'risk' | 'dangerous' | 'irreversible' | 'timeoutMs'> & { readonly name: string };

/** Registers tools of kind `client` on the site, once, with a key that holds `tools:write`. Registering the same again changes nothing. */
export const registerClientTools = async (harness: Pick<Harness, 'tools'>, tools: readonly ClientTool[]): Promise<void> => {
  for (const { name, ...tool } of tools) await harness.tools.put(name, { kind: 'client', ...tool });
};
