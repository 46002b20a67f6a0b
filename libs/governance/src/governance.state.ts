import { unreachable, type Aggregate } from '@app/kernel';
import type { GovernanceEvent } from './governance.events';
import type { ToolDefinition, ToolGovernance } from './tool.schema';

export type RegisteredTool = { readonly definition: ToolDefinition; readonly override: ToolGovernance; readonly enabled: boolean };

export type Governance =
  | { readonly status: 'none' }
  | { readonly status: 'site'; readonly siteId: string; readonly name: string; readonly tools: Readonly<Record<string, RegisteredTool>> };

/** The warm fold of a site's rules. Every authorisation is appended with this stream's version as a guard. */
export const governance: Aggregate<Governance, GovernanceEvent> = {
  category: 'governance',
  stateVersion: 1,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'SiteCreated') return { status: 'site', ...event.data, tools: {} };
    if (state.status === 'none') return state;
    switch (event.type) {
      case 'ToolRegistered':
        return withTool(state, event.data.tool.name, (tool) => ({ override: {}, enabled: true, ...tool, definition: event.data.tool }));
      case 'ToolOverridden':
        return withTool(state, event.data.name, (tool) => tool && { ...tool, override: { ...tool.override, ...event.data.override } });
      case 'ToolEnabled':
        return withTool(state, event.data.name, (tool) => tool && { ...tool, enabled: true });
      case 'ToolDisabled':
        return withTool(state, event.data.name, (tool) => tool && { ...tool, enabled: false });
      default:
        return unreachable(event);
    }
  },
};

type Site = Extract<Governance, { status: 'site' }>;

const withTool = (state: Site, name: string, change: (tool?: RegisteredTool) => RegisteredTool | undefined): Site => {
  const tool = change(state.tools[name]);
  return tool ? { ...state, tools: { ...state.tools, [name]: tool } } : state;
};
