import type { Governance } from '@app/governance/contract';
import { roleOf } from './role-list/role.view';

/** What a run under a role may use at most: a role nobody knows, or one that is disabled, holds nothing; without a role nothing narrows. */
export const capabilitiesOfRole = (state: Governance, agentRole: string | undefined): readonly string[] => {
  if (agentRole === undefined) return ['*'];
  const role = roleOf(state, agentRole);
  return role?.enabled ? role.capabilities : [];
};
