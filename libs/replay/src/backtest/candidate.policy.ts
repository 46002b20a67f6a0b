import { grantKey, type Grant, type Site } from '@app/governance/contract';
import type { Candidate } from './candidate.schema';

/** The site's rules of that moment with the candidate's in their place. */
export const withCandidate = (site: Site, { policies, roles = [], grants = [] }: Candidate): Site => ({
  ...site,
  policies: policies ?? site.policies,
  roles: { ...site.roles, ...Object.fromEntries(roles.map((role) => [role.name, role])) },
  grants: grants.reduce(withGrant, site.grants),
});

const withGrant = (known: Site['grants'], { level, ...grant }: NonNullable<Candidate['grants']>[number]): Site['grants'] => {
  const key = grantKey(grant.agentRole, grant.capability);
  const { [key]: _replaced, ...others } = known;
  return level === null ? others : { ...others, [key]: { ...grant, level, grantedBy: 'candidate', cause: 'granted' } satisfies Grant };
};
