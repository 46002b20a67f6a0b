import { unreachable, type Aggregate, type Principal } from '@app/kernel';
import type { PrincipalEvent } from './principal.events';

type Key = { readonly secretHash: string; readonly expiresAt: string | null; readonly revoked: boolean };
/** Whom an issuer knows by a subject: the two together name one account, whatever its address is. */
export type Identity = { readonly issuer: string; readonly subject: string };
/** `identity` is there while somebody may sign in as this principal. */
export type KnownPrincipal = { readonly status: 'known'; readonly principal: Principal; readonly key: Key | null; readonly identity?: Identity };
export type PrincipalState = { readonly status: 'none' } | KnownPrincipal;

export const principal: Aggregate<PrincipalState, PrincipalEvent> = {
  category: 'principal',
  stateVersion: 1,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'PrincipalCreated') {
      const { principalId: id, agentRole, userId, ...data } = event.data;
      return { status: 'known', principal: { id, ...data, sites: [data.siteId], ...(agentRole !== null && { agentRole }), ...(userId !== undefined && { userId }) }, key: null };
    }
    if (state.status === 'none') return state;
    switch (event.type) {
      case 'ApiKeyIssued':
        return { ...state, key: { secretHash: event.data.secretHash, expiresAt: event.data.expiresAt, revoked: false } };
      case 'ApiKeyRotated':
        return { ...state, key: state.key && { ...state.key, secretHash: event.data.secretHash } };
      case 'ApiKeyRevoked':
        return { ...state, key: state.key && { ...state.key, revoked: true } };
      case 'CapabilitiesChanged':
        return { ...state, principal: { ...state.principal, ...event.data } };
      case 'IdentityLinked': {
        const { userId, ...identity } = event.data;
        return { ...state, principal: { ...state.principal, userId }, identity };
      }
      case 'IdentityUnlinked': {
        const { identity: _ended, ...rest } = state;
        return rest;
      }
      default:
        return unreachable(event);
    }
  },
};

/** What a principal holds at an instant: nothing when it is unknown, or when its key is revoked or has expired, or its identity unlinked. */
export const capabilitiesOf = (state: PrincipalState, now: Date): readonly string[] =>
  state.status === 'known' && isUsable(state, now) ? state.principal.capabilities : [];

/** A key works until it is revoked and strictly before it expires; a principal without a key for as long as somebody may sign in as it. */
export const isUsable = ({ key, identity }: KnownPrincipal, now: Date): boolean =>
  key === null ? identity !== undefined : !key.revoked && (key.expiresAt === null || now.getTime() < Date.parse(key.expiresAt));
