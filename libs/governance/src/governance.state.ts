import { unreachable, type Aggregate } from '@app/kernel';
import type { GovernanceEvent } from './governance.events';
import type { PolicyRule } from './policy.schema';
import type { Role } from './role.schema';
import { DEFAULT_SETTINGS, type Flag, type Settings } from './settings.schema';
import type { ToolDefinition, ToolGovernance } from './tool.schema';

export type RegisteredTool = { readonly definition: ToolDefinition; readonly override: ToolGovernance; readonly enabled: boolean };
export type KnownRole = Role & { readonly enabled: boolean };
/** `cause` is the grant, promotion or incident that set the level last. */
export type Grant = {
  readonly agentRole: string;
  readonly capability: string;
  readonly level: number;
  readonly expiresAt: string | null;
  readonly grantedBy: string;
  readonly cause: 'granted' | 'promoted' | 'demoted';
};
type EventData<T extends GovernanceEvent['type']> = Extract<GovernanceEvent, { type: T }>['data'];
export type Freeze = EventData<'ScopeFrozen'>;

export type Site = {
  readonly status: 'site';
  readonly siteId: string;
  readonly name: string;
  readonly settings: Settings;
  readonly flags: Readonly<Record<Flag, boolean>>;
  readonly tools: Readonly<Record<string, RegisteredTool>>;
  readonly roles: Readonly<Record<string, KnownRole>>;
  readonly policies: readonly PolicyRule[];
  readonly grants: Readonly<Record<string, Grant>>;
  readonly freezes: Readonly<Record<string, Freeze>>;
  readonly constitution: { readonly constitutionId: string; readonly hash: string } | null;
  /** Intents that make no work now; all others are active. */
  readonly intents: Readonly<Record<string, 'paused' | 'error'>>;
  readonly mcpServers: Readonly<Record<string, EventData<'McpServerImported'>['transport']>>;
};
export type Governance = { readonly status: 'none' } | Site;

/** The key of a grant: a bar cannot be in a capability, so no two pairs meet in one key. */
export const grantKey = (agentRole: string, capability: string) => `${capability}|${agentRole}`;

/** The level of a safe tool without a grant; where every expired grant falls back to at most. */
export const HIGHEST_DEFAULT = 2;

const NO_FLAGS = { reconciler: false, vetoWindow: false, agentReview: false, mcp: false };

/** The warm fold of a site's rules. Every authorisation is appended with this stream's version as a guard. */
export const governance: Aggregate<Governance, GovernanceEvent> = {
  category: 'governance',
  stateVersion: 3,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'SiteCreated') {
      return {
        status: 'site', ...event.data, settings: DEFAULT_SETTINGS, flags: NO_FLAGS, tools: {}, roles: {}, policies: [], grants: {}, freezes: {},
        constitution: null, intents: {}, mcpServers: {},
      };
    }
    return state.status === 'none' ? state : evolveSite(state, event);
  },
};

const evolveSite = (site: Site, event: Exclude<GovernanceEvent, { type: 'SiteCreated' }>): Site => {
  switch (event.type) {
    case 'SettingsChanged':
      return { ...site, settings: { ...site.settings, ...(event.data.changes as Partial<Settings>) } };
    // Which secrets there are is the vault's to say, and no decision depends on it.
    case 'SecretsChanged':
      return site;
    case 'FlagChanged':
      return { ...site, flags: { ...site.flags, [event.data.flag]: event.data.on } };
    case 'ToolRegistered':
      return withTool(site, event.data.tool.name, (tool) => ({ override: {}, enabled: true, ...tool, definition: event.data.tool }));
    case 'ToolOverridden':
      return withTool(site, event.data.name, (tool) => tool && { ...tool, override: { ...tool.override, ...event.data.override } });
    case 'ToolOverrideRemoved':
      return withTool(site, event.data.name, (tool) => tool && { ...tool, override: {}, enabled: true });
    case 'ToolRemoved': {
      const { [event.data.name]: _removed, ...tools } = site.tools;
      return { ...site, tools };
    }
    case 'ToolEnabled':
      return withTool(site, event.data.name, (tool) => tool && { ...tool, enabled: true });
    case 'ToolDisabled':
      return withTool(site, event.data.name, (tool) => tool && { ...tool, enabled: false });
    case 'RoleDefined':
    case 'RoleChanged':
      return { ...site, roles: { ...site.roles, [event.data.role.name]: { ...event.data.role, enabled: true } } };
    case 'RoleDisabled': {
      const role = site.roles[event.data.name];
      return role ? { ...site, roles: { ...site.roles, [role.name]: { ...role, enabled: false } } } : site;
    }
    case 'PolicyChanged':
      return { ...site, policies: event.data.rules };
    case 'AutonomyGranted':
      return withGrant(site, { ...levelOf(event.data), expiresAt: event.data.expiresAt, grantedBy: event.data.grantedBy, cause: 'granted' });
    case 'AutonomyPromoted':
      return withGrant(site, { ...levelOf(event.data), expiresAt: null, grantedBy: event.data.decidedBy, cause: 'promoted' });
    case 'AutonomyDemoted': {
      const before = site.grants[grantKey(event.data.agentRole, event.data.capability)];
      // Below the default the end of a grant would raise the level again, and no level rises without a human.
      const expiresAt = event.data.level < HIGHEST_DEFAULT ? null : (before?.expiresAt ?? null);
      return withGrant(site, { ...levelOf(event.data), expiresAt, grantedBy: event.data.incidentId, cause: 'demoted' });
    }
    case 'AutonomyExpired': {
      const { [grantKey(event.data.agentRole, event.data.capability)]: _expired, ...grants } = site.grants;
      return { ...site, grants };
    }
    case 'ScopeFrozen':
      return { ...site, freezes: { ...site.freezes, [event.data.freezeId]: event.data } };
    case 'FreezeLifted': {
      const { [event.data.freezeId]: _lifted, ...freezes } = site.freezes;
      return { ...site, freezes };
    }
    case 'ConstitutionActivated':
      return { ...site, constitution: { constitutionId: event.data.constitutionId, hash: event.data.hash } };
    case 'McpServerImported':
      return { ...site, mcpServers: { ...site.mcpServers, [event.data.server]: event.data.transport } };
    case 'IntentPaused':
      return { ...site, intents: { ...site.intents, [event.data.intentId]: 'paused' } };
    case 'IntentBroken':
      return { ...site, intents: { ...site.intents, [event.data.intentId]: 'error' } };
    case 'IntentResumed': {
      const { [event.data.intentId]: _resumed, ...intents } = site.intents;
      return { ...site, intents };
    }
    default:
      return unreachable(event);
  }
};

const levelOf = ({ agentRole, capability, level }: { agentRole: string; capability: string; level: number }) => ({ agentRole, capability, level });

const withGrant = (site: Site, grant: Grant): Site => ({ ...site, grants: { ...site.grants, [grantKey(grant.agentRole, grant.capability)]: grant } });

const withTool = (site: Site, name: string, change: (tool?: RegisteredTool) => RegisteredTool | undefined): Site => {
  const tool = change(Object.hasOwn(site.tools, name) ? site.tools[name] : undefined);
  return tool ? { ...site, tools: { ...site.tools, [name]: tool } } : site;
};
