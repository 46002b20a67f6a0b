import { describe, expect, it } from '@jest/globals';
import { freezeOf, governance, type GovernanceEvent, type Site } from '@app/governance/contract';
import type { Principal } from '@app/kernel';
import { specification } from '@app/kernel/testing';
import { liftFreeze } from '../lift-freeze/lift-freeze.decide';
import { freezeScope } from './freeze-scope.decide';

const given = specification(governance);
const person = (...capabilities: string[]): Principal => ({ id: 'key_ada', kind: 'human', name: 'Ada', siteId: 'site_a', sites: ['site_a'], capabilities, roles: [], platformAdmin: false });
const warden = person('agents:freeze');
const created: GovernanceEvent = { type: 'SiteCreated', data: { siteId: 'site_a', name: 'A' } };
const writer: GovernanceEvent = { type: 'RoleDefined', data: { role: { name: 'Writer', description: '', capabilities: [] } } };
const frozen = (scope: 'role' | 'site' | 'intent', targetId: string | null, freezeId = 'f1'): GovernanceEvent => ({ type: 'ScopeFrozen', data: { freezeId, scope, targetId, reason: null, by: 'key_ada' } });
const INTENT = `int_${'0'.repeat(32)}`;

describe('A freeze', () => {
  it('is one event with its scope, target, reason and actor', () => {
    given(created, writer).when((state) => freezeScope(state, { body: { scope: 'role', targetId: 'Writer', reason: 'Odd' }, principal: warden }, 'f1')).then({
      governance: [{ type: 'ScopeFrozen', data: { freezeId: 'f1', scope: 'role', targetId: 'Writer', reason: 'Odd', by: 'key_ada' } }],
    });
    given(created).when((state) => freezeScope(state, { body: { scope: 'site', targetId: 'site_a' }, principal: warden }, 'f1')).then({
      governance: [{ type: 'ScopeFrozen', data: { freezeId: 'f1', scope: 'site', targetId: null, reason: null, by: 'key_ada' } }],
    });
  });

  it('is made once for what is frozen already, and anew for what was lifted', () => {
    const again = (state: Parameters<typeof freezeScope>[0]) => freezeScope(state, { body: { scope: 'role', targetId: 'Writer' }, principal: warden }, 'f2');
    given(created, writer, frozen('role', 'Writer')).when(again).then({ governance: [] });
    expect(given(created, writer, frozen('role', 'Writer'), { type: 'FreezeLifted', data: { freezeId: 'f1', by: 'key_ada' } }).when(again).decision).toMatchObject({ events: { governance: [{ data: { freezeId: 'f2' } }] } });
    expect(given(created, writer, frozen('site', null)).when(again).decision).toMatchObject({ events: { governance: [{ data: { freezeId: 'f2' } }] } });
  });

  it.each([
    ['a role', { scope: 'role', targetId: 'Writer' }, 'agents:freeze'], ['a site', { scope: 'site' }, 'agents:freeze'], ['an intent', { scope: 'intent', targetId: INTENT }, 'intents:write'],
  ] as const)('of %s needs the one capability for it, as does its lifting', (_what, body, capability) => {
    const history = [created, writer, frozen(body.scope, 'targetId' in body ? body.targetId : null)];
    for (const held of ['agents:freeze', 'intents:write', 'runs:cancel', 'settings:write']) {
      const decisions = [given(created, writer).when((state) => freezeScope(state, { body, principal: person(held) }, 'f1')), given(...history).when((state) => liftFreeze(state, { body, principal: person(held) })), given(...history).when((state) => liftFreeze(state, { body: { freezeId: 'f1' }, principal: person(held) }))];
      expect(decisions.map(({ decision }) => decision.ok)).toEqual(Array(3).fill(held === capability));
    }
  });

  it('is not lifted twice, and never that of a run', () => {
    given(created, frozen('site', null), { type: 'FreezeLifted', data: { freezeId: 'f1', by: 'key_ada' } }).when((state) => liftFreeze(state, { body: { freezeId: 'f1' }, principal: warden })).thenRejected('CONFLICT');
    given(created).when((state) => liftFreeze(state, { body: { scope: 'run', targetId: 'run_1' }, principal: warden })).thenRejected('CONFLICT');
  });

  it('reaches exactly what it was made for', () => {
    const reached = (event: GovernanceEvent) => {
      const site = [created, writer, event].reduce(governance.evolve, governance.initial) as Site;
      return [{}, { agentRole: 'Writer' }, { agentRole: 'writer' }, { intentId: INTENT }, { agentRole: 'SEO', intentId: INTENT }, { agentRole: null, intentId: null }].map((work) => freezeOf(site, work) !== undefined);
    };
    expect(reached(frozen('site', null))).toEqual([true, true, true, true, true, true]);
    expect(reached(frozen('role', 'Writer'))).toEqual([false, true, false, false, false, false]);
    expect(reached(frozen('intent', INTENT))).toEqual([false, false, false, true, true, false]);
  });
});
