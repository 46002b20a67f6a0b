import type { Site } from './governance.state';
import { grantKey, HIGHEST_DEFAULT } from './governance.state';
import type { EffectiveTool } from './risk.policy';

export const HIGHEST_LEVEL = 4;
/** An irreversible tool is never run or staged unattended, whatever was granted; nor is one that says so. */
const ATTENDED_CEILING = 2;
export const DEFAULT_LEVEL = { safe: HIGHEST_DEFAULT, dangerous: 1 } as const;

/** The level a grant gives now, or undefined when there is none or it has expired. */
export const grantedLevel = ({ grants }: Pick<Site, 'grants'>, agentRole: string | undefined, capability: string, now: Date): number | undefined => {
  const grant = agentRole === undefined ? undefined : grants[grantKey(agentRole, capability)];
  return grant && (grant.expiresAt === null || now.getTime() < Date.parse(grant.expiresAt)) ? grant.level : undefined;
};

/** Effective level = min(grant or default, every cap, hard ceiling). The capability looked up is the tool's first required one. */
export const resolveAutonomy = (
  site: Pick<Site, 'grants'>,
  tool: Pick<EffectiveTool, 'requiredCapabilities' | 'irreversible' | 'attended'>,
  isDangerous: boolean,
  agentRole: string | undefined,
  caps: readonly (number | undefined)[],
  now: Date,
): number => {
  const granted = grantedLevel(site, agentRole, tool.requiredCapabilities[0]!, now) ?? (isDangerous ? DEFAULT_LEVEL.dangerous : DEFAULT_LEVEL.safe);
  return Math.min(granted, tool.irreversible || tool.attended ? ATTENDED_CEILING : HIGHEST_LEVEL, ...caps.filter((cap) => cap !== undefined));
};
