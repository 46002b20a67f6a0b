import { describe, it } from '@jest/globals';
import { governance, type GovernanceEvent } from '@app/governance/contract';
import { specification } from '@app/kernel/testing';
import { changeRole } from './change-role/change-role.decide';
import { defineRole } from './define-role/define-role.decide';
import { disableRole } from './disable-role/disable-role.decide';

const given = specification(governance);
const created: GovernanceEvent = { type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } };
const role = { name: 'Clerk', description: 'Files', capabilities: ['items:read'] };
const defined: GovernanceEvent = { type: 'RoleDefined', data: { role } };
const disabled: GovernanceEvent = { type: 'RoleDisabled', data: { name: 'Clerk' } };

describe('A role', () => {
  it('is defined once; its name stays taken when it is disabled', () => {
    given(created).when((state) => defineRole(state, { ...role, capabilities: ['items:read', 'items:read'] })).then({ governance: [defined] });
    given(created, defined).when((state) => defineRole(state, role)).thenRejected('CONFLICT');
    given(created, defined, disabled).when((state) => defineRole(state, role)).thenRejected('CONFLICT');
    given(created).when((state) => defineRole(state, { ...role, name: 'constructor' })).then({ governance: [{ type: 'RoleDefined', data: { role: { ...role, name: 'constructor' } } }] });
  });

  it('keeps what a change does not name, and is not changed by what it is already', () => {
    given(created, defined).when((state) => changeRole(state, 'Clerk', { capabilities: [] })).then({ governance: [{ type: 'RoleChanged', data: { role: { ...role, capabilities: [] } } }] });
    given(created, defined).when((state) => changeRole(state, 'Clerk', { description: 'Files' })).then({ governance: [] });
    given(created).when((state) => changeRole(state, 'toString', {})).thenRejected('FORBIDDEN');
  });

  it('is in use again only when that is said', () => {
    given(created, defined, disabled).when((state) => changeRole(state, 'Clerk', { description: 'New' })).thenRejected('CONFLICT');
    given(created, defined, disabled).when((state) => changeRole(state, 'Clerk', { enabled: true })).then({ governance: [{ type: 'RoleChanged', data: { role } }] });
  });

  it('is disabled once', () => {
    given(created, defined).when((state) => disableRole(state, 'Clerk')).then({ governance: [disabled] });
    given(created, defined, disabled).when((state) => disableRole(state, 'Clerk')).then({ governance: [] });
    given(created).when((state) => disableRole(state, 'valueOf')).thenRejected('FORBIDDEN');
  });
});
