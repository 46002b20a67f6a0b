import { effectiveTool, type EffectiveTool, type Site } from '@app/governance/contract';
import { covers, type Principal } from '@app/kernel';
import { isControlPlaneSkill } from '../deny-control-plane/control-plane-call.policy';
import { isStandalone } from './unoffered.policy';

/** Who would call: what is held by whom, and under which role. `bounds` are the capabilities that the run was opened with. */
export type Holder = { readonly roles: Principal['roles']; readonly capabilities: readonly string[]; readonly bounds: readonly string[]; readonly agentRole: string | undefined };

/** What the door lets a role hold: everything without a role, nothing for one that is unknown or disabled. */
const heldByRole = (site: Site, agentRole: string | undefined): readonly string[] => {
  if (agentRole === undefined) return ['*'];
  const role = Object.hasOwn(site.roles, agentRole) ? site.roles[agentRole] : undefined;
  return role?.enabled ? role.capabilities : [];
};

/** The enabled tools that a caller may use, by name: what the door would turn down for want of a capability is not on the list. */
export const offeredTools = (site: Site, { roles, capabilities, bounds, agentRole }: Holder): readonly EffectiveTool[] => {
  const held = [capabilities, bounds, heldByRole(site, agentRole)];
  const isAdmin = roles.includes('admin');
  return Object.values(site.tools)
    .filter((tool) => tool.enabled && (isAdmin || !isControlPlaneSkill(tool)))
    .map(effectiveTool)
    .filter((tool) => !isStandalone(tool) && tool.requiredCapabilities.every((wanted) => held.every((one) => covers(one, wanted))))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
};
