import { accept, reject, type Context, type Decision, type Principal } from '@app/kernel';
import { surplus } from '../handing-on.policy';
import { liveUser } from '../live-user.policy';
import { sameSet } from '../same-set.policy';
import type { PrincipalEvent } from '../principal.events';
import type { PrincipalState } from '../principal.state';
import type { UserEvent } from '../user.events';
import { keyNarrowed, signInChanged } from '../user-keys/user-keys.decide';
import { principalsOf, type User } from '../user.state';
import type { ChangeUserBody } from './change-user.command';

/** The streams of the person's principals by id, as far as they were known before. */
export type KeyStates = Readonly<Record<string, PrincipalState>>;
type Changed = { readonly user: readonly UserEvent[]; readonly keys: Readonly<Record<string, readonly PrincipalEvent[]>> };

/**
 * Whoever changes a person must hold what they have and what they get. What they lose, their keys lose in the same append; what they may do when they
 * have signed in is always what they may do.
 */
export const changeUser = (
  { user: state, keys }: { readonly user: User; readonly keys: KeyStates },
  body: ChangeUserBody,
  changer: Principal,
  { siteId, actor, now }: Pick<Context, 'siteId' | 'actor' | 'now'>,
): Decision<Changed> => {
  const found = liveUser(state, siteId);
  if (!found.ok) return found;
  const { user } = found;
  const name = body.name ?? user.name;
  const rights = { capabilities: [...new Set(body.capabilities ?? user.capabilities)], roles: [...new Set(body.roles ?? user.roles)] };
  const refused = surplus(changer, [...user.capabilities, ...rights.capabilities], [...user.roles, ...rights.roles], 'Whoever changes a person must hold what they have and what they get.');
  if (refused) return refused;
  if (principalsOf(user).some((keyId) => !Object.hasOwn(keys, keyId))) return reject('conflict', 'CONFLICT', 'This person was given another key meanwhile; repeat the request.');
  const same = name === user.name && sameSet(rights.capabilities, user.capabilities) && sameSet(rights.roles, user.roles);
  return accept({
    user: same ? [] : [{ type: 'UserChanged', data: { name, ...rights, by: actor.id, at: now.toISOString() } }],
    keys: Object.fromEntries(principalsOf(user).map((id) => [id, id === user.identity?.principalId ? signInChanged(keys[id]!, rights) : keyNarrowed(keys[id]!, rights, now)])),
  });
};
