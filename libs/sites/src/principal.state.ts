import { unreachable, type Aggregate, type Principal } from '@app/kernel';
import type { PrincipalEvent } from './principal.events';

type Key = { readonly secretHash: string; readonly expiresAt: string | null; readonly revoked: boolean };
export type KnownPrincipal = { readonly status: 'known'; readonly principal: Principal; readonly key: Key | null };
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
      default:
        return unreachable(event);
    }
  },
};

/** What a principal holds at an instant: nothing when it is unknown, or when its key is revoked or has expired. */
export const capabilitiesOf = (state: PrincipalState, now: Date): readonly string[] =>
  state.status === 'known' && isUsable(state, now) ? state.principal.capabilities : [];

/** A key works until it is revoked and strictly before it expires. */
export const isUsable = ({ key }: KnownPrincipal, now: Date): boolean =>
  key !== null && !key.revoked && (key.expiresAt === null || now.getTime() < Date.parse(key.expiresAt));
