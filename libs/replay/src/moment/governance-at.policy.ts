import { grantedLevel, toolsOf, type Site } from '@app/governance/contract';
import type { AutonomyAtView, GovernanceAtView } from './at.view';

/** The grants of a site, each with whether it was in force at an instant. */
export const grantsAt = (site: Site, instant: Date): AutonomyAtView['grants'] =>
  Object.values(site.grants).map((grant) => ({ ...grant, inForce: grantedLevel(site, grant.agentRole, grant.capability, instant) !== undefined }));

type Rules = Omit<GovernanceAtView, 'asOf'>;

export const governanceView = (site: Site, instant: Date): Rules => {
  const { siteId, name, flags, settings, roles, freezes, policies, constitution } = site;
  return {
    siteId, name, flags, settings: settings as unknown as Rules['settings'],
    roles: Object.values(roles) as unknown as Rules['roles'],
    grants: grantsAt(site, instant),
    freezes: Object.values(freezes) as unknown as Rules['freezes'],
    policies: policies as unknown as Rules['policies'],
    constitution,
    tools: toolsOf(site).map(({ name: tool, enabled, risk, isDangerous, requiredCapabilities }) => ({ name: tool, enabled, risk, isDangerous, requiredCapabilities })),
  };
};
