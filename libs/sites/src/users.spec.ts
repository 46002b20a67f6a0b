import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@app/kernel';
import { specification } from '@app/kernel/testing';
import fc from 'fast-check';
import { issueOwnedKey } from './api-keys/api-keys.decide';
import { changeUser } from './change-user/change-user.decide';
import { inviteUser } from './invite-user/invite-user.decide';
import { InviteUserBody } from './invite-user/invite-user.command';
import type { PrincipalEvent } from './principal.events';
import { principal } from './principal.state';
import { removeUser } from './remove-user/remove-user.decide';
import { keyNarrowed } from './user-keys/user-keys.decide';
import type { UserEvent } from './user.events';
import { user } from './user.state';

const given = specification(user);
const USER = `usr_${'0'.repeat(32)}`;
const now = new Date('2026-11-30T12:00:00.000Z');
const at = now.toISOString();
const actor = { kind: 'human', id: 'key_boss' } as const;
const here = { siteId: 'site_a', actor, now };
const there = { ...here, siteId: 'site_b' };

const giver = (more: Partial<Principal> = {}): Principal =>
  ({ id: 'key_boss', kind: 'human', name: 'Boss', siteId: 'site_a', sites: ['site_a'], capabilities: ['users:write', 'items:read', 'items:update'], roles: [], platformAdmin: false, ...more });
const admin = giver({ capabilities: ['*'], roles: ['admin'] });
const body = (more: Partial<InviteUserBody> = {}) => InviteUserBody.parse({ email: 'Ada@Example.com', name: 'Ada', capabilities: ['items:read'], ...more });
const invited = (more: object = {}): UserEvent =>
  ({ type: 'UserInvited', data: { userId: USER, siteId: 'site_a', email: 'ada@example.com', name: 'Ada', capabilities: ['items:read'], roles: [], by: 'key_boss', at, ...more } });
const withKey = (keyId = 'key_1'): UserEvent => ({ type: 'UserKeyIssued', data: { keyId, by: 'key_boss', at } });
const removed: UserEvent = { type: 'UserRemoved', data: { by: 'key_boss', at } };
const key = (capabilities: readonly string[], roles: readonly ('admin' | 'veto')[] = [], more: readonly PrincipalEvent[] = [], expiresAt: string | null = null) => ([
  { type: 'PrincipalCreated', data: { principalId: 'key_1', name: 'Ada', kind: 'human', siteId: 'site_a', capabilities: [...capabilities], roles: [...roles], agentRole: null, platformAdmin: false, userId: USER } } as const,
  { type: 'ApiKeyIssued', data: { keyId: 'key_1', secretHash: 'a'.repeat(64), expiresAt } } as const,
  ...more,
] as readonly PrincipalEvent[]).reduce(principal.evolve, principal.initial);
const revoked = { type: 'ApiKeyRevoked', data: { keyId: 'key_1' } } as const;

describe('A person of a site', () => {
  it('is invited once under one address, whatever its case, and again when they were removed', () => {
    given().when((state) => inviteUser(state, USER, body(), giver(), here)).then({ user: [invited()] });
    given(invited()).when((state) => inviteUser(state, USER, body(), giver(), here)).thenRejected('CONFLICT');
    given(invited(), withKey(), removed).when((state) => inviteUser(state, USER, body(), giver(), here)).then({ user: [invited()] });
    expect([invited(), withKey(), removed, invited()].reduce(user.evolve, user.initial)).toMatchObject({ status: 'invited', keys: [] });
  });

  it('is given nothing that their inviter lacks', () => {
    for (const wrong of [{ capabilities: ['items:delete'] }, { capabilities: ['*'] }, { roles: ['veto' as const] }, { roles: ['admin' as const] }])
      given().when((state) => inviteUser(state, USER, body(wrong), giver(), here)).thenRejected('FORBIDDEN');
    given().when((state) => inviteUser(state, USER, body({ capabilities: ['*'], roles: ['admin'] }), admin, here)).then({ user: [invited({ capabilities: ['*'], roles: ['admin'] })] });
  });

  it('is changed and removed by those who hold what they hold', () => {
    const strong = invited({ capabilities: ['items:delete'] });
    given(strong).when((state) => changeUser({ user: state, keys: {} }, { name: 'Eve' }, giver(), here)).thenRejected('FORBIDDEN');
    given(strong).when((state) => removeUser({ user: state, keys: {} }, giver(), here)).thenRejected('FORBIDDEN');
    given(invited()).when((state) => changeUser({ user: state, keys: {} }, { roles: ['veto'] }, giver(), here)).thenRejected('FORBIDDEN');
    given(invited()).when((state) => changeUser({ user: state, keys: {} }, { name: 'Ada', capabilities: ['items:read'] }, giver(), here)).then({ user: [], keys: {} });
    given(strong).when((state) => changeUser({ user: state, keys: {} }, { capabilities: [] }, admin, here))
      .then({ user: [{ type: 'UserChanged', data: { name: 'Ada', capabilities: [], roles: [], by: 'key_boss', at } }], keys: {} });
  });

  it('is nobody on another site and gone after their removal', () => {
    given(invited()).when((state) => changeUser({ user: state, keys: {} }, {}, admin, there)).thenRejected('FORBIDDEN');
    given(invited()).when((state) => removeUser({ user: state, keys: {} }, admin, there)).thenRejected('FORBIDDEN');
    given().when((state) => removeUser({ user: state, keys: {} }, admin, here)).thenRejected('FORBIDDEN');
    given(invited(), removed).when((state) => changeUser({ user: state, keys: {} }, {}, admin, here)).thenRejected('GONE');
    given(invited(), removed).when((state) => removeUser({ user: state, keys: {} }, admin, here)).thenRejected('GONE');
  });

  it('takes their keys along, and no decision stands that did not know all of them', () => {
    const keys = { key_1: key(['items:read']), key_2: key(['items:read'], [], [revoked]) };
    given(invited(), withKey(), withKey('key_2')).when((state) => removeUser({ user: state, keys }, giver(), here)).then({ user: [removed], keys: { key_1: [revoked], key_2: [] } });
    given(invited(), withKey(), withKey('key_3')).when((state) => removeUser({ user: state, keys }, giver(), here)).thenRejected('CONFLICT');
    given(invited(), withKey()).when((state) => changeUser({ user: state, keys: {} }, { capabilities: [] }, giver(), here)).thenRejected('CONFLICT');
  });

  it('has keys that never do more than they may, whatever is taken from them', () => {
    const capability = fc.constantFrom<string>('items:read', 'items:update', 'items:delete', '*');
    const roles = fc.uniqueArray(fc.constantFrom('admin' as const, 'veto' as const));
    fc.assert(
      fc.property(fc.uniqueArray(capability), roles, fc.uniqueArray(capability), roles, (held, heldRoles, left, leftRoles) => {
        const before = key(held, heldRoles);
        const after = keyNarrowed(before, { capabilities: left, roles: leftRoles }, now).reduce(principal.evolve, before);
        if (after.status === 'none') throw new Error('The key is gone');
        expect(after.principal.roles.filter((role) => !leftRoles.includes(role) || !heldRoles.includes(role))).toEqual([]);
        const beyond = after.principal.capabilities.filter((one) => !(leftRoles.includes('admin') || left.includes('*') || left.includes(one)) || !(held.includes('*') || held.includes(one)));
        expect(beyond).toEqual([]);
        expect(keyNarrowed(after, { capabilities: left, roles: leftRoles }, now)).toEqual([]);
      }),
    );
  });

  it('is given keys by a key that works, within what both of them may, and for no longer than it works', () => {
    const made = { keyId: 'key_9', secretHash: 'b'.repeat(64), siteId: 'site_a' };
    const request = (more: object = {}) => ({ name: 'k', kind: 'agent' as const, capabilities: ['items:read'], roles: [], userId: USER, ...more });
    const ada = [invited()].reduce(user.evolve, user.initial);
    const self = giver({ id: 'key_1', userId: USER });
    const issue = (more: object, by = self, issuer = key(['items:read', 'items:update']), person = ada) => {
      const decided = issueOwnedKey({ principal: principal.initial, issuer, user: person }, request(more), by, made, now);
      return decided.ok ? decided.events.user : [decided.rejection.code, Object.keys(decided.rejection.facts ?? {})[0]];
    };
    expect(issue({})).toEqual([{ type: 'UserKeyIssued', data: { keyId: 'key_9', by: 'key_1', at } }]);
    expect(issue({ capabilities: ['items:update'] })).toEqual(['FORBIDDEN', 'beyond']);
    expect(issue({ roles: ['veto'] }, admin)).toEqual(['FORBIDDEN', 'beyond']);
    expect(issue({}, self, key(['items:read'], [], [revoked]))).toEqual(['FORBIDDEN', undefined]);
    expect(issue({}, self, key(['items:read']), [invited(), removed].reduce(user.evolve, user.initial))).toEqual(['GONE', undefined]);
    expect(issue({}, self, key(['items:read']), [invited({ siteId: 'site_b' })].reduce(user.evolve, user.initial))).toEqual(['FORBIDDEN', undefined]);
    expect(issue({}, giver({ agentRole: 'Writer', userId: USER }))).toEqual([expect.objectContaining({ type: 'UserKeyIssued' })]);
    expect(issue({ agentRole: 'Other' }, giver({ agentRole: 'Writer', userId: USER }))).toEqual(['FORBIDDEN', 'agentRole']);
    const short = key(['items:read'], [], [], '2026-12-01T00:00:00.000Z');
    expect(issue({}, self, short)).toEqual(['FORBIDDEN', 'expiresAt']);
    expect(issue({ expiresAt: '2026-12-02T00:00:00Z' }, self, short)).toEqual(['FORBIDDEN', 'expiresAt']);
    expect(issue({ expiresAt: '2026-12-01T00:00:00Z' }, self, short)).toHaveLength(1);
    expect(issue({}, admin, short)).toHaveLength(1);
    const many = [invited(), ...Array.from({ length: 50 }, (_, nr) => withKey(`key_${nr + 100}`))].reduce(user.evolve, user.initial);
    expect(issue({}, self, key(['items:read']), many)).toEqual(['CONFLICT', 'keys']);
  });
});
