import { ChangeUser, ChangeUserBody, GetUser, InviteUser, InviteUserBody, ListUsers, RemoveUser } from '@app/sites/contract';
import { z } from 'zod';
import { acting } from './acting';
import { skill, type CoreSkill, type Dispatch } from './core-skill';
import { listed, ListPage } from './list-page';

const UserId = z.string().regex(/^usr_[0-9a-f]{32}$/, 'Must be the id of a user');

const userNow = async (id: string, siteId: string, { ask }: Dispatch) => {
  const found = await ask(new GetUser(id, siteId));
  return found.ok ? found.data : null;
};

/** The people of the site. Whoever brings somebody in hands on rights, so a person is asked. */
export const userSkills: readonly CoreSkill[] = [
  skill('listUsers', {
    description: 'Lists the people of the site with what they may do.',
    input: ListPage.extend({ status: z.enum(['invited', 'active', 'removed']).optional() }), capability: 'users:read', risk: 'read', idempotent: true,
    run: (page, { context: { siteId }, after }, { ask }) => listed(ask(new ListUsers(siteId, { ...page, minPosition: after }))),
  }),
  skill('inviteUser', {
    description: 'Invites a person to the site, with no more rights than the run itself has.',
    input: InviteUserBody, capability: 'users:write', risk: 'create', dangerous: true,
    run: (input, call, dispatch) => acting(call, dispatch, ({ principal }) => dispatch.send(new InviteUser(input, principal, call.context))),
    preview: (input) => Promise.resolve([{ path: input.email, before: null, after: input }]),
  }),
  skill('updateUser', {
    description: 'Changes the name or the rights of a person; what they lose, all their keys lose at once.',
    input: ChangeUserBody.extend({ id: UserId }), capability: 'users:write', risk: 'write', idempotent: true, dangerous: true,
    run: ({ id, ...body }, call, dispatch) => acting(call, dispatch, ({ principal }) => dispatch.send(new ChangeUser(id, body, principal, call.context))),
    preview: async ({ id, ...body }, siteId, dispatch) => {
      const before = await userNow(id, siteId, dispatch);
      return [{ path: id, before, after: { ...before, ...body } }];
    },
  }),
  skill('removeUser', {
    description: 'Removes a person from the site; all their keys stop working at once.',
    input: z.strictObject({ id: UserId }), capability: 'users:delete', risk: 'destructive',
    run: ({ id }, call, dispatch) => acting(call, dispatch, ({ principal }) => dispatch.send(new RemoveUser(id, principal, call.context))),
    preview: async ({ id }, siteId, dispatch) => [{ path: id, before: await userNow(id, siteId, dispatch), after: null }],
  }),
];
