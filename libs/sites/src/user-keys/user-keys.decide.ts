import { accept, may, reject, type Decision, type Principal, type Rejected } from '@app/kernel';
import type { PrincipalEvent } from '../principal.events';
import { isUsable, type PrincipalState } from '../principal.state';
import { liveUser } from '../live-user.policy';
import { sameSet } from '../same-set.policy';
import type { UserEvent } from '../user.events';
import type { KnownUser, User } from '../user.state';

type Rights = Pick<Principal, 'capabilities' | 'roles'>;
/** Whoever needs more has keys that nobody uses any more. */
const MAX_KEYS = 50;

/** Why a person cannot have a key like this; undefined when they can. A key never does more than its person may. */
export const keyRefusal = (state: User, { capabilities, roles }: Rights, siteId: string): Rejected | undefined => {
  const found = liveUser(state, siteId);
  if (!found.ok) return found;
  const { user } = found;
  const beyond = [...capabilities.filter((capability) => !may(user, capability)), ...roles.filter((role) => !user.roles.includes(role))];
  return beyond.length === 0 ? undefined : reject('forbidden', 'FORBIDDEN', 'A key cannot hold more than the person it belongs to.', { beyond, userId: user.userId });
};

/** One more key of a person; known to their stream, so that it ends with them. */
export const keyIssued = (state: User, keyId: string, rights: Rights, siteId: string, by: string, now: Date): Decision<readonly UserEvent[]> => {
  const refused = keyRefusal(state, rights, siteId);
  if (refused) return refused;
  const { keys } = state as KnownUser;
  if (keys.includes(keyId)) return accept([]);
  if (keys.length >= MAX_KEYS) return reject('conflict', 'CONFLICT', `This person has ${MAX_KEYS} keys; revoke one that is not used any more.`, { keys: keys.length });
  return accept([{ type: 'UserKeyIssued', data: { keyId, by, at: now.toISOString() } }]);
};

export const keyRevoked = (state: User, keyId: string, by: string, now: Date): readonly UserEvent[] =>
  state.status !== 'none' && state.keys.includes(keyId) ? [{ type: 'UserKeyRevoked', data: { keyId, by, at: now.toISOString() } }] : [];

/** What a key loses when its person holds less: nothing is ever added. A key that is revoked or over stays as it is. */
export const keyNarrowed = (state: PrincipalState, person: Rights, now: Date): readonly PrincipalEvent[] => {
  if (state.status === 'none' || !isUsable(state, now)) return [];
  const { capabilities, roles } = state.principal;
  // `*` says whatever the person may, and the person may that much no more.
  const kept = capabilities.flatMap((capability) => (may(person, capability) ? [capability] : capability === '*' ? person.capabilities : []));
  const left = { capabilities: [...new Set(kept)], roles: roles.filter((role) => person.roles.includes(role)) };
  const same = left.roles.length === roles.length && left.capabilities.length === capabilities.length && left.capabilities.every((capability) => capabilities.includes(capability));
  return same ? [] : [{ type: 'CapabilitiesChanged', data: left }];
};

/** Whoever signs in holds exactly what their person may. */
export const signInChanged = (state: PrincipalState, { capabilities, roles }: Rights): readonly PrincipalEvent[] => {
  if (state.status === 'none') return [];
  const held = state.principal;
  return sameSet(held.capabilities, capabilities) && sameSet(held.roles, roles) ? [] : [{ type: 'CapabilitiesChanged', data: { capabilities: [...capabilities], roles: [...roles] } }];
};
