import type { Executor } from '@app/event-store';
import { governance, type EffectiveTool, type ToolDefinition } from '@app/governance/contract';
import type { Context } from '@app/kernel';
import { importedTool } from '../upstream-tool/imported-tool';
import { KnownLooks } from '../upstream-tool/look-alike.policy';
import type { UpstreamTool } from '../upstream-tool/upstream-tool';
import { disableChanged } from './disable-changed-tool.decide';

const WATCH = { kind: 'service', id: 'mcp-watch' } as const;

/** Disables a tool in the middle of a call to it. The call's command id makes that happen once, however often the call is tried. */
export const disableChangedTool = async (executor: Executor, tool: EffectiveTool, offered: UpstreamTool, context: Context): Promise<void> => {
  const refs = { governance: { aggregate: governance, id: context.siteId } };
  const changed = changedDefinition(tool, offered);
  const done = await executor.execute(refs, { ...context, actor: WATCH, commandId: `${context.commandId}:tool-changed` }, ({ governance: state }) =>
    disableChanged(state, tool.name, tool.mcp?.digest, changed),
  );
  if (!done.ok) throw new Error(`${tool.name} has changed and could not be disabled: ${done.rejection.detail}`);
};

/** The tool's own terms stay: its name, and who may call it. */
const changedDefinition = (tool: EffectiveTool, offered: UpstreamTool): ToolDefinition | undefined => {
  const { requiredCapabilities, name, mcp } = tool;
  const made = importedTool(offered, { server: mcp!.server, prefix: '', requiredCapabilities, risk: undefined }, new KnownLooks([]));
  return 'definition' in made ? { ...made.definition, name } : undefined;
};
