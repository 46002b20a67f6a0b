export { capabilitiesOfRole } from './capabilities-of-role.policy';
export { ChangeRole, ChangeRoleBody } from './change-role/change-role.command';
export { DefineRole, DefineRoleBody } from './define-role/define-role.command';
export { DisableRole } from './disable-role/disable-role.command';
export { GetRole, ListRoles } from './role-list/role-queries.query';
export { RoleView } from './role-list/role.view';
