import type { Governance, RegisteredTool } from './governance.state';
import type { ToolDefinition } from './tool.schema';

/** A registered tool as the site wants it: definition and override in one, and the class the door applies. */
export type EffectiveTool = ToolDefinition & { readonly enabled: boolean; readonly isDangerous: boolean };

/**
 * Dangerous by itself: it says so, it cannot be undone, it changes the schema, or its name starts with `delete`.
 * A site may turn the class up or down, but an irreversible tool stays dangerous whatever the site says.
 */
const isDangerous = ({ definition, override }: RegisteredTool): boolean => {
  if (definition.irreversible) return true;
  if (override.dangerous !== undefined) return override.dangerous;
  const capabilities = override.requiredCapabilities ?? definition.requiredCapabilities;
  return (
    definition.dangerous === true ||
    capabilities.some((capability) => capability.startsWith('schema:') && capability !== 'schema:read') ||
    definition.name.slice(definition.name.lastIndexOf('.') + 1).startsWith('delete')
  );
};

const effective = new WeakMap<RegisteredTool, EffectiveTool>();

/** One object for as long as the tool is registered like this, so that what is derived from it can be kept beside it. */
export const effectiveTool = (tool: RegisteredTool): EffectiveTool => {
  const known = effective.get(tool) ?? Object.assign({}, tool.definition, tool.override, { enabled: tool.enabled, isDangerous: isDangerous(tool) });
  effective.set(tool, known);
  return known;
};

export const toolOf = (governance: Governance, name: string): EffectiveTool | undefined => {
  const tool = governance.status === 'site' && Object.hasOwn(governance.tools, name) ? governance.tools[name] : undefined;
  return tool && effectiveTool(tool);
};

export const toolsOf = (governance: Governance): readonly EffectiveTool[] =>
  governance.status === 'site' ? Object.values(governance.tools).map(effectiveTool) : [];

/** Which kind of reviewer a call concerns. */
export const domainOf = (capability: string): 'items' | 'schema' | 'tools' =>
  capability.startsWith('items:') ? 'items' : capability.startsWith('schema:') ? 'schema' : 'tools';
