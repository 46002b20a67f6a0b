import type { Governance, GovernanceEvent } from '@app/governance/contract';
import { accept, missing, type Decision } from '@app/kernel';
import { roleOf } from '../role-list/role.view';

export const disableRole = (state: Governance, name: string): Decision<{ readonly governance: readonly GovernanceEvent[] }> => {
  const known = roleOf(state, name);
  if (!known) return missing();
  return accept({ governance: known.enabled ? [{ type: 'RoleDisabled', data: { name } }] : [] });
};
