import { describe, expect, it } from '@jest/globals';
import type { PrincipalEvent } from './principal.events';
import { isUsable, principal, type KnownPrincipal } from './principal.state';

const [hash, another] = ['a'.repeat(64), 'b'.repeat(64)];
const created: PrincipalEvent = {
  type: 'PrincipalCreated',
  data: { principalId: 'key_1', name: 'Ada', kind: 'human', siteId: 'site_a', capabilities: ['items:read'], roles: [], agentRole: null, platformAdmin: false },
};
const issued = (expiresAt: string | null = null): PrincipalEvent => ({ type: 'ApiKeyIssued', data: { keyId: 'key_1', secretHash: hash, expiresAt } });
const rotated: PrincipalEvent = { type: 'ApiKeyRotated', data: { keyId: 'key_1', secretHash: another } };
const revoked: PrincipalEvent = { type: 'ApiKeyRevoked', data: { keyId: 'key_1' } };

const after = (...events: PrincipalEvent[]) => events.reduce(principal.evolve, principal.initial) as KnownPrincipal;
const noon = new Date('2026-11-30T12:00:00.000Z');

describe('A principal and its key', () => {
  it('can use the key until the moment it expires, and not at that moment', () => {
    const state = after(created, issued('2026-11-30T12:00:00.000Z'));
    expect([new Date(noon.getTime() - 1), noon, new Date(noon.getTime() + 1)].map((now) => isUsable(state, now))).toEqual([true, false, false]);
    expect(isUsable(after(created, issued()), new Date('9999-12-31T00:00:00Z'))).toBe(true);
  });

  it('can use no key that was never issued, or that was revoked', () => {
    expect(isUsable(after(created), noon)).toBe(false);
    expect(isUsable(after(created, issued(), revoked), noon)).toBe(false);
    expect(isUsable(after(created, issued(), revoked, rotated), noon)).toBe(false);
  });

  it('keeps expiry and rights when the secret changes', () => {
    const state = after(created, issued('2026-12-01T00:00:00.000Z'), rotated);
    expect(state.key).toEqual({ secretHash: another, expiresAt: '2026-12-01T00:00:00.000Z', revoked: false });
    expect(state.principal).toMatchObject({ id: 'key_1', sites: ['site_a'], capabilities: ['items:read'] });
  });

  it('holds the capabilities and roles that it was given last', () => {
    const changed: PrincipalEvent = { type: 'CapabilitiesChanged', data: { capabilities: ['items:write'], roles: ['veto'] } };
    expect(after(created, issued(), changed).principal).toMatchObject({ capabilities: ['items:write'], roles: ['veto'] });
  });

  it('is nobody without its first event', () => {
    expect([issued(), rotated, revoked].reduce(principal.evolve, principal.initial)).toEqual({ status: 'none' });
  });
});
