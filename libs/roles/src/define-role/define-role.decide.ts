import type { Governance, GovernanceEvent } from '@app/governance/contract';
import { accept, missing, reject, type Decision } from '@app/kernel';
import { roleOf } from '../role-list/role.view';
import type { DefineRoleBody } from './define-role.command';

export const defineRole = (state: Governance, { name, description, capabilities }: DefineRoleBody): Decision<{ readonly governance: readonly GovernanceEvent[] }> => {
  if (state.status === 'none') return missing();
  const known = roleOf(state, name);
  if (known) {
    const how = known.enabled ? 'change it with PUT' : 'it is disabled; PUT with enabled: true puts it in use again';
    return reject('conflict', 'CONFLICT', `There is a role named ${name} already: ${how}.`, { name, enabled: known.enabled });
  }
  return accept({ governance: [{ type: 'RoleDefined', data: { role: { name, description, capabilities: [...new Set(capabilities)] } } }] });
};
