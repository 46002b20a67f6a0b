import type { Governance, GovernanceEvent } from '@app/governance/contract';
import { accept, missing, reject, type Decision } from '@app/kernel';
import { roleOf } from '../role-list/role.view';
import type { ChangeRoleBody } from './change-role.command';

export const changeRole = (state: Governance, name: string, { enabled, ...change }: ChangeRoleBody): Decision<{ readonly governance: readonly GovernanceEvent[] }> => {
  const known = roleOf(state, name);
  if (!known) return missing();
  if (!known.enabled && enabled !== true) {
    return reject('conflict', 'CONFLICT', 'This role is disabled; send enabled: true with the change to put it in use again.', { name });
  }
  const description = change.description ?? known.description;
  const capabilities = [...new Set(change.capabilities ?? known.capabilities)];
  const unchanged = known.enabled && description === known.description && JSON.stringify(capabilities) === JSON.stringify(known.capabilities);
  return accept({ governance: unchanged ? [] : [{ type: 'RoleChanged', data: { role: { name, description, capabilities } } }] });
};
