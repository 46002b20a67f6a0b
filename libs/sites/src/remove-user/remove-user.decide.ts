import { accept, reject, type Context, type Decision, type Principal } from '@app/kernel';
import { revokeApiKey } from '../api-keys/api-keys.decide';
import type { KeyStates } from '../change-user/change-user.decide';
import { surplus } from '../handing-on.policy';
import { liveUser } from '../live-user.policy';
import type { PrincipalEvent } from '../principal.events';
import type { UserEvent } from '../user.events';
import { principalsOf, type User } from '../user.state';

type Removed = { readonly user: readonly UserEvent[]; readonly keys: Readonly<Record<string, readonly PrincipalEvent[]>> };

/** All keys of the person are revoked in the same append, and nobody signs in as them any more. Nobody removes somebody who may do more than themselves: that would be a way to lock them out. */
export const removeUser = (
  { user: state, keys }: { readonly user: User; readonly keys: KeyStates },
  remover: Principal,
  { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<Removed> => {
  const found = liveUser(state, siteId);
  if (!found.ok) return found;
  const { user } = found;
  const refused = surplus(remover, user.capabilities, user.roles, 'Whoever removes a person must hold what they hold.');
  if (refused) return refused;
  if (principalsOf(user).some((keyId) => !Object.hasOwn(keys, keyId))) return reject('conflict', 'CONFLICT', 'This person was given another key meanwhile; repeat the request.');
  const revoked = user.keys.map((keyId) => {
    const decided = revokeApiKey(keys[keyId]!, keyId, siteId);
    return [keyId, decided.ok ? decided.events.principal : []] as const;
  });
  const { identity } = user;
  const unlinked = identity ? [[identity.principalId, [{ type: 'IdentityUnlinked', data: { userId: user.userId } }]] as const] : [];
  return accept({ user: [{ type: 'UserRemoved', data: { by: actor.id, at: now.toISOString() } }], keys: Object.fromEntries<readonly PrincipalEvent[]>([...revoked, ...unlinked]) });
};
