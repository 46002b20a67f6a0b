import { accept, missing, reject, type Decision } from '@app/kernel';
import type { PrincipalEvent } from '../principal.events';
import type { Identity, PrincipalState } from '../principal.state';
import type { UserEvent } from '../user.events';
import { signInChanged } from '../user-keys/user-keys.decide';
import type { User } from '../user.state';

type Linked = { readonly principal?: readonly PrincipalEvent[]; readonly user?: readonly UserEvent[] };

/**
 * Binds an account, whose issuer has verified the address, to the person who was invited under it. Who the person is afterwards is the account and not the
 * address: an address that is given to somebody else opens nothing, until an admin has removed the person and invited the address again.
 */
export const linkIdentity = (
  { principal, user }: { readonly principal: PrincipalState; readonly user: User },
  { issuer, subject }: Identity,
  { principalId, siteId, now }: { readonly principalId: string; readonly siteId: string; readonly now: Date },
): Decision<Linked> => {
  if (user.status === 'none' || user.status === 'removed' || user.siteId !== siteId) return missing();
  const { userId, name, capabilities, roles, identity } = user;
  const isLinked = principal.status === 'known' && principal.identity !== undefined;
  if (isLinked && identity?.principalId === principalId) return accept({});
  if (isLinked || identity) return reject('forbidden', 'FORBIDDEN', 'The person with this address signs in with another account; an admin removes them and invites the address again.', { reason: 'identity_bound' });
  const created: PrincipalEvent = {
    type: 'PrincipalCreated',
    data: { principalId, name, kind: 'human', siteId, capabilities: [...capabilities], roles: [...roles], agentRole: null, platformAdmin: false, userId },
  };
  return accept({
    principal: [...(principal.status === 'none' ? [created] : signInChanged(principal, user)), { type: 'IdentityLinked', data: { issuer, subject, userId } }],
    user: [{ type: 'UserIdentityLinked', data: { issuer, subject, principalId, by: principalId, at: now.toISOString() } }],
  });
};
