import { RoleName } from '@app/governance/contract';
import { ChangeRole, ChangeRoleBody, DefineRole, DefineRoleBody, DisableRole, GetRole, ListRoles } from '@app/roles/contract';
import { z } from 'zod';
import { skill, type CoreSkill, type Dispatch } from './core-skill';
import { listed, ListPage } from './list-page';

const roleNow = async (name: string, siteId: string, { ask }: Dispatch) => {
  const found = await ask(new GetRole(siteId, name));
  return found.ok ? found.data : null;
};

/** What agents may do at most, by role. */
export const roleSkills: readonly CoreSkill[] = [
  skill('listRoles', {
    description: 'Lists the roles of the site by name, with what an agent may do at most under each.',
    input: ListPage, capability: 'access:read', risk: 'read', idempotent: true,
    run: (page, { context: { siteId } }, { ask }) => listed(ask(new ListRoles(siteId, page))),
  }),
  skill('createRole', {
    description: 'Defines a role that agents can work under.',
    input: DefineRoleBody, capability: 'access:create', risk: 'create',
    run: (input, { context }, { send }) => send(new DefineRole(input, context)),
    preview: (input) => Promise.resolve([{ path: input.name, before: null, after: input }]),
  }),
  skill('updateRole', {
    description: 'Changes what agents may do under a role; enabled: true puts a disabled role in use again.',
    input: ChangeRoleBody.extend({ name: RoleName }), capability: 'access:create', risk: 'write', idempotent: true,
    run: ({ name, ...body }, { context }, { send }) => send(new ChangeRole(name, body, context)),
    preview: async ({ name, ...body }, siteId, dispatch) => {
      const before = await roleNow(name, siteId, dispatch);
      return [{ path: name, before, after: { ...before, ...body } }];
    },
  }),
  skill('deleteRole', {
    description: 'Takes a role out of use: every run under it is refused from then on. Its name stays taken.',
    input: z.strictObject({ name: RoleName }), capability: 'access:delete', risk: 'destructive', idempotent: true,
    run: ({ name }, { context }, { send }) => send(new DisableRole(name, context)),
    preview: async ({ name }, siteId, dispatch) => [{ path: name, before: await roleNow(name, siteId, dispatch), after: null }],
  }),
];
