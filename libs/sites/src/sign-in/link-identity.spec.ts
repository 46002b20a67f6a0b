import { describe, expect, it } from '@jest/globals';
import type { Principal } from '@app/kernel';
import { changeUser } from '../change-user/change-user.decide';
import type { PrincipalEvent } from '../principal.events';
import { capabilitiesOf, isUsable, principal } from '../principal.state';
import { removeUser } from '../remove-user/remove-user.decide';
import { signInIdOf } from '../user-id';
import type { UserEvent } from '../user.events';
import { user } from '../user.state';
import { linkIdentity } from './link-identity.decide';
import { RecentSites } from './recent-sites';

const now = new Date('2026-11-30T12:00:00.000Z');
const at = now.toISOString();
const USER = `usr_${'0'.repeat(32)}`;
const ACCOUNT = { issuer: 'https://id.example.com', subject: '17' };
const ID = 'key_17';
const here = { principalId: ID, siteId: 'site_a', now };
const admin: Principal = { id: 'key_boss', kind: 'human', name: 'Boss', siteId: 'site_a', sites: ['site_a'], capabilities: ['*'], roles: ['admin'], platformAdmin: false };
const by = { siteId: 'site_a', actor: { kind: 'human', id: 'key_boss' }, now } as const;

const invited: UserEvent = { type: 'UserInvited', data: { userId: USER, siteId: 'site_a', email: 'ada@example.com', name: 'Ada', capabilities: ['items:read'], roles: ['veto'], by: 'key_boss', at } };
const linked = (principalId = ID, subject = '17'): UserEvent => ({ type: 'UserIdentityLinked', data: { ...ACCOUNT, subject, principalId, by: principalId, at } });
const removed: UserEvent = { type: 'UserRemoved', data: { by: 'key_boss', at } };
const created: PrincipalEvent = { type: 'PrincipalCreated', data: { principalId: ID, name: 'Ada', kind: 'human', siteId: 'site_a', capabilities: ['items:read'], roles: ['veto'], agentRole: null, platformAdmin: false, userId: USER } };
const bound: PrincipalEvent = { type: 'IdentityLinked', data: { ...ACCOUNT, userId: USER } };
const unlinked: PrincipalEvent = { type: 'IdentityUnlinked', data: { userId: USER } };
const person = (...events: UserEvent[]) => events.reduce(user.evolve, user.initial);
const signIn = (...events: PrincipalEvent[]) => events.reduce(principal.evolve, principal.initial);
const link = (people: UserEvent[], principals: PrincipalEvent[] = [], where = here) => linkIdentity({ principal: signIn(...principals), user: person(...people) }, ACCOUNT, where);

describe('An account of an issuer', () => {
  it('becomes the person whose address it has, with what they may do', () => {
    expect(link([invited])).toEqual({ ok: true, events: { principal: [created, bound], user: [linked()] } });
    expect(person(invited, linked())).toMatchObject({ status: 'active', keys: [], identity: { ...ACCOUNT, principalId: ID } });
    const state = signIn(created, bound);
    expect([capabilitiesOf(state, now), state.status === 'known' && isUsable(state, now)]).toEqual([['items:read'], true]);
    expect(capabilitiesOf(signIn(created), now)).toEqual([]);
    expect(link([invited, linked()], [created, bound])).toEqual({ ok: true, events: {} });
  });

  it('is nobody where nobody was invited, or no more', () => {
    for (const [people, where] of [[[], here], [[invited, removed], here], [[invited], { ...here, siteId: 'site_b' }]] as const) expect(link([...people], [], where)).toMatchObject({ ok: false, rejection: { kind: 'missing' } });
  });

  it('does not take over a person who signs in with another, and is no second person itself', () => {
    for (const [people, principals] of [[[invited, linked('key_18', '18')], []], [[invited], [created, bound]], [[invited, linked('key_18', '18')], [created, bound, unlinked]]] as const)
      expect(link([...people], [...principals])).toMatchObject({ ok: false, rejection: { kind: 'forbidden', code: 'FORBIDDEN', facts: { reason: 'identity_bound' } } });
  });

  it('follows what its person may do, both ways', () => {
    const state = { user: person(invited, linked()), keys: { [ID]: signIn(created, bound) } };
    const changed = changeUser(state, { capabilities: ['items:read', 'items:update'], roles: [] }, admin, by);
    expect(changed).toMatchObject({ ok: true, events: { keys: { [ID]: [{ type: 'CapabilitiesChanged', data: { capabilities: ['items:read', 'items:update'], roles: [] } }] } } });
    expect(changeUser(state, { name: 'Ada L.' }, admin, by)).toMatchObject({ ok: true, events: { keys: { [ID]: [] } } });
    expect(changeUser({ ...state, keys: {} }, { capabilities: [] }, admin, by)).toMatchObject({ ok: false, rejection: { code: 'CONFLICT' } });
  });

  it('ends with its person, and may be linked again when they are invited again', () => {
    const state = { user: person(invited, linked()), keys: { [ID]: signIn(created, bound) } };
    expect(removeUser(state, admin, by)).toEqual({ ok: true, events: { user: [removed], keys: { [ID]: [unlinked] } } });
    expect(removeUser({ ...state, keys: {} }, admin, by)).toMatchObject({ ok: false, rejection: { code: 'CONFLICT' } });
    const ended = signIn(created, bound, unlinked);
    expect([capabilitiesOf(ended, now), person(invited, linked(), removed, invited)]).toMatchObject([[], { status: 'invited' }]);
    expect(person(invited, linked(), removed, invited)).not.toHaveProperty('identity');
    const again = { ...invited, data: { ...invited.data, capabilities: ['users:read'] } } as UserEvent;
    expect(link([invited, linked(), removed, again], [created, bound, unlinked]))
      .toMatchObject({ ok: true, events: { principal: [{ type: 'CapabilitiesChanged', data: { capabilities: ['users:read'], roles: ['veto'] } }, bound], user: [linked()] } });
  });

  it('is another principal on each site, and for each issuer and subject', () => {
    const ids = [['site_a', 'https://a', 'b'], ['site_b', 'https://a', 'b'], ['site_a', 'https://ab', ''], ['site_a', 'https://a', 'b c'], ['site_a https://a', '', 'b']].map(([site, issuer, subject]) => signInIdOf(site!, { issuer: issuer!, subject: subject! }));
    expect(new Set(ids).size).toBe(5);
    expect(signInIdOf('site_a', ACCOUNT)).toBe(signInIdOf('site_a', { ...ACCOUNT }));
    expect(signInIdOf('site_a', ACCOUNT)).toMatch(/^key_[0-9a-f]{32}$/);
  });
});

describe('Where an account was found', () => {
  it('is remembered for a minute, and that it belongs nowhere for two seconds', () => {
    const recent = new RecentSites();
    const other = { ...ACCOUNT, subject: '18' };
    recent.note(ACCOUNT, ['site_a'], 0);
    recent.note(other, [], 0);
    expect([recent.of(ACCOUNT, 59_999), recent.of(ACCOUNT, 60_000), recent.of(other, 1_999), recent.of(other, 2_000)]).toEqual([['site_a'], undefined, [], undefined]);
    recent.forget(ACCOUNT);
    expect(recent.of(ACCOUNT, 1)).toBeUndefined();
  });
});
