import type { GovernanceEvent } from './governance.events';
import type { Governance } from './governance.state';
import { SEEDED_ROLES } from './role.schema';
import type { ToolDefinition } from './tool.schema';

/** The tools that every site has, as this version of the program defines them. The app that composes the skills provides it. */
export abstract class CoreTools {
  abstract readonly definitions: readonly ToolDefinition[];
}

/** What a site's registry lacks: tools that are new in this program, or defined differently than when the site last heard of them. */
export const registrationsDue = (state: Governance, definitions: readonly ToolDefinition[]): readonly GovernanceEvent[] =>
  definitions
    .filter((tool) => state.status === 'none' || !sameJson(state.tools[tool.name]?.definition, tool))
    .flatMap((tool) => [...takesName(state, tool.name), { type: 'ToolRegistered', data: { tool } } as const]);

/** A skill that is new in this program takes its name from a tool of the site's own, and nothing that was said about that tool. */
const takesName = (state: Governance, name: string): readonly GovernanceEvent[] => {
  const taken = state.status === 'site' && Object.hasOwn(state.tools, name) ? state.tools[name] : undefined;
  return taken && taken.definition.kind !== 'skill' ? [{ type: 'ToolRemoved', data: { name } }] : [];
};

/** Roles that this program seeds and the site has never heard of; one that the site changed or disabled stays as the site wants it. */
export const rolesDue = (state: Governance): readonly GovernanceEvent[] =>
  SEEDED_ROLES.filter(({ name }) => state.status === 'none' || !Object.hasOwn(state.roles, name)).map((role) => ({
    type: 'RoleDefined', data: { role: { ...role, capabilities: [...role.capabilities] } },
  }));

/** Definitions come back from the log with their keys in another order. */
export const sameJson = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const [ka, kb] = [Object.entries(a).filter(present), Object.entries(b).filter(present)];
  return ka.length === kb.length && ka.every(([key, value]) => sameJson(value, (b as Record<string, unknown>)[key]));
};

const present = ([, value]: [string, unknown]) => value !== undefined;
