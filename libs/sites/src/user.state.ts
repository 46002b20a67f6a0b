import { unreachable, type Aggregate, type Principal } from '@app/kernel';
import type { Identity } from './principal.state';
import type { USER_STATUSES } from './user.schema';
import type { UserEvent } from './user.events';

/** `keys` are those that were issued to the person and not revoked one by one; `identity` is the account they sign in with, and the principal they then are. */
export type KnownUser = Pick<Principal, 'capabilities' | 'roles'> & {
  readonly status: (typeof USER_STATUSES)[number];
  readonly userId: string;
  readonly siteId: string;
  readonly email: string;
  readonly name: string;
  readonly keys: readonly string[];
  readonly identity?: Identity & { readonly principalId: string };
  readonly invitedAt: string;
  readonly changedAt: string;
};
export type User = { readonly status: 'none' } | KnownUser;

/** Every principal that is this person: one for each key, and the one they sign in as. */
export const principalsOf = ({ keys, identity }: KnownUser): readonly string[] => (identity ? [...keys, identity.principalId] : keys);

export const user: Aggregate<User, UserEvent> = {
  category: 'user',
  stateVersion: 1,
  initial: { status: 'none' },
  evolve: (state, event) => {
    // Whoever was removed may be invited again, and starts without the keys and the account of before.
    if (event.type === 'UserInvited') {
      const { by: _by, at, ...known } = event.data;
      return { status: 'invited', ...known, keys: [], invitedAt: at, changedAt: at };
    }
    if (state.status === 'none') return state;
    const changedAt = event.data.at;
    switch (event.type) {
      case 'UserChanged': {
        const { name, capabilities, roles } = event.data;
        return { ...state, name, capabilities, roles, changedAt };
      }
      case 'UserKeyIssued':
        return { ...state, status: 'active', keys: [...state.keys, event.data.keyId], changedAt };
      case 'UserKeyRevoked':
        return { ...state, keys: state.keys.filter((keyId) => keyId !== event.data.keyId), changedAt };
      case 'UserIdentityLinked': {
        const { issuer, subject, principalId } = event.data;
        return { ...state, status: 'active', identity: { issuer, subject, principalId }, changedAt };
      }
      case 'UserRemoved': {
        const { identity: _ended, ...rest } = state;
        return { ...rest, status: 'removed', keys: [], changedAt };
      }
      default:
        return unreachable(event);
    }
  },
};
