import { accept, reject, type Context, type Decision, type Principal } from '@app/kernel';
import { surplus } from '../handing-on.policy';
import type { UserEvent } from '../user.events';
import type { User } from '../user.state';
import type { InviteUserBody } from './invite-user.command';

/** One address is one person of the site. */
export const inviteUser = (state: User, userId: string, { email, name, capabilities, roles }: InviteUserBody, inviter: Principal, { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>): Decision<{ readonly user: readonly UserEvent[] }> => {
  const refused = surplus(inviter, capabilities, roles, 'Nobody can be given more than whoever invites them holds.');
  if (refused) return refused;
  if (state.status === 'invited' || state.status === 'active') return reject('conflict', 'CONFLICT', 'A person with this address is on the site already.', { userId });
  return accept({
    user: [{ type: 'UserInvited', data: { userId, siteId, email, name, capabilities: [...new Set(capabilities)], roles: [...new Set(roles)], by: actor.id, at: now.toISOString() } }],
  });
};
