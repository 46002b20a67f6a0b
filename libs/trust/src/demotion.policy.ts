import { DEFAULT_LEVEL, grantedLevel, toolsOf, type Site } from '@app/governance/contract';
import type { z } from 'zod';
import type { Demoted, INCIDENT_SEVERITIES } from './incident.events';

export type Demotion = Readonly<z.infer<typeof Demoted>>;
type Named = { readonly agentRole: string | null; readonly capability: string | null; readonly severity: (typeof INCIDENT_SEVERITIES)[number] };

const FLOOR = 0;
const AFTER_HIGH = 1;

/**
 * What a role may do without asking under a capability now. Without a grant a capability can stand for safe and dangerous tools at once:
 * `highest` is the level of the one that may do most, `lowest` of the one that may do least.
 */
export const levelNow = (site: Site, agentRole: string, capability: string, now: Date, of: 'highest' | 'lowest'): number => {
  const granted = grantedLevel(site, agentRole, capability, now);
  if (granted !== undefined) return granted;
  const tools = toolsOf(site).filter(({ enabled, requiredCapabilities }) => enabled && requiredCapabilities[0] === capability);
  const wanted = of === 'highest' ? tools.length === 0 || tools.some(({ isDangerous }) => !isDangerous) : tools.every(({ isDangerous }) => !isDangerous);
  return wanted ? DEFAULT_LEVEL.safe : DEFAULT_LEVEL.dangerous;
};

/** Every capability under which a role has a level of its own or may act at all. */
export const capabilitiesOfRole = ({ grants, roles }: Pick<Site, 'grants' | 'roles'>, agentRole: string): readonly string[] => {
  const granted = Object.values(grants).flatMap((grant) => (grant.agentRole === agentRole ? [grant.capability] : []));
  const held = Object.hasOwn(roles, agentRole) ? roles[agentRole]!.capabilities.filter((capability) => !capability.includes('*')) : [];
  return [...new Set([...granted, ...held])];
};

/**
 * What an incident costs the role it names: one level at once, and with severity `high` everything above level 1. Nothing falls below 0
 * and nothing rises. A role that is named without a capability loses on all it may do.
 */
export const demotionsFor = (site: Site, { agentRole, capability, severity }: Named, now: Date): readonly Demotion[] => {
  if (agentRole === null) return [];
  return (capability === null ? capabilitiesOfRole(site, agentRole) : [capability]).flatMap((each) => {
    const from = levelNow(site, agentRole, each, now, 'highest');
    const to = severity === 'high' ? Math.min(from, AFTER_HIGH) : Math.max(from - 1, FLOOR);
    return to < from ? [{ agentRole, capability: each, from, to }] : [];
  });
};
