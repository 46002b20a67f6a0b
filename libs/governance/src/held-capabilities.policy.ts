import { covers } from '@app/kernel';
import type { Site } from './governance.state';

/** What a role lets its agents use: everything where there is none, nothing for one that is unknown or disabled. */
const ofRole = ({ roles }: Pick<Site, 'roles'>, agentRole: string | undefined): readonly string[] => {
  if (agentRole === undefined) return ['*'];
  const role = Object.hasOwn(roles, agentRole) ? roles[agentRole] : undefined;
  return role?.enabled ? role.capabilities : [];
};

/** Which of the wanted capabilities are missing in one of the bounds or in the role; all of them have to agree. */
export const lackingCapabilities = (site: Pick<Site, 'roles'>, agentRole: string | undefined, bounds: readonly (readonly string[])[], wanted: readonly string[]): readonly string[] =>
  wanted.filter((capability) => ![...bounds, ofRole(site, agentRole)].every((held) => covers(held, capability)));
