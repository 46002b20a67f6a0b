import { describe, expect, it } from '@jest/globals';
import { applyPolicies, type PolicySubject } from './argument-policy.policy';
import { PolicyRule } from './policy.schema';

const subject = (overrides: Partial<PolicySubject> = {}): PolicySubject => ({
  tool: { name: 'updateItem', risk: 'write', requiredCapabilities: ['items:update', 'items:read'] }, role: 'Writer', origin: 'user',
  arguments: { data: { price: 10, title: 'Blue cup', tags: [], gone: null }, 'a/b': 1 }, now: new Date('2030-01-04T23:30:00.000Z'), ...overrides,
});
const rule = (when: object, then: object = { do: 'deny' }, more: object = {}) => PolicyRule.parse({ name: 'it', when, then, ...more });
const speaks = (when: object, more: Partial<PolicySubject> = {}) => applyPolicies([rule(when)], subject(more), (pattern, text) => new RegExp(pattern).test(text)).decided !== undefined;
const argument = (test: object) => speaks({ arguments: [test] });

describe('An argument policy', () => {
  it('[POLICY-002] speaks by tool, role, capability, arguments, time, origin and risk', () => {
    for (const [key, right, wrong] of [
      ['tool', 'updateItem', 'createItem'], ['role', 'Writer', 'SEO'], ['capability', 'items:read', 'items:delete'], ['origin', 'user', 'reconciler'], ['risk', 'write', 'read'],
    ] as const) {
      expect([speaks({ [key]: right }), speaks({ [key]: wrong }), speaks({ [key]: [wrong, right] }), speaks({ [key]: [wrong] })]).toEqual([true, false, true, false]);
    }
    expect(speaks({ role: 'Writer' }, { role: undefined })).toBe(false);
    expect(speaks({ tool: 'updateItem', role: 'SEO' })).toBe(false);
    const price = (test: object) => argument({ path: '/data/price', ...test });
    expect([price({ eq: 10 }), price({ eq: '10' }), price({ in: [9, 10] }), price({ in: [9] }), price({ gt: 9 }), price({ gt: 10 }), price({ lt: 11 }), price({ lt: 10 })]).toEqual([true, false, true, false, true, false, true, false]);
    expect([argument({ path: '/data/title', matches: 'cup$' }), argument({ path: '/data/title', matches: '^cup' }), price({ matches: '1' })]).toEqual([true, false, false]);
    expect([price({ exists: true }), price({ exists: false }), argument({ path: '/data/none', exists: false }), argument({ path: '/data/gone', exists: true })]).toEqual([true, false, true, true]);
    expect([argument({ path: '/a~1b', eq: 1 }), argument({ path: '/data/constructor', exists: true }), argument({ path: '/data/title/length', exists: true })]).toEqual([true, false, false]);
    expect([price({ gt: 5, lt: 20 }), price({ gt: 5, lt: 8 })]).toEqual([true, false]);
  });

  it('speaks in its hours, and after midnight as on the day on which they began', () => {
    const at = (time: object, iso: string) => speaks({ time }, { now: new Date(iso) });
    const day = { from: '08:00', to: '17:00' };
    expect([at(day, '2030-01-04T07:59:59Z'), at(day, '2030-01-04T08:00:00Z'), at(day, '2030-01-04T16:59:59Z'), at(day, '2030-01-04T17:00:00Z')]).toEqual([false, true, true, false]);
    // 4 January 2030 is a Friday, day 5.
    const night = { from: '22:00', to: '06:00', days: [5] };
    expect([at(night, '2030-01-04T21:59:00Z'), at(night, '2030-01-04T22:00:00Z'), at(night, '2030-01-05T05:59:00Z'), at(night, '2030-01-05T06:00:00Z'), at(night, '2030-01-05T22:00:00Z'), at(night, '2030-01-04T05:00:00Z')]).toEqual([
      false, true, true, false, false, false,
    ]);
  });

  it('[POLICY-003] does one of six things, under a name and with a reason', () => {
    const done = (then: object) => applyPolicies([rule({}, then, { name: 'the rule', reason: 'Because' })], subject(), () => false);
    for (const effect of ['allow', 'ask', 'deny', 'stage'] as const) expect(done({ do: effect })).toEqual({ decided: { rule: 'the rule', do: effect, reason: 'Because' }, capLevel: undefined, quorum: 1, shadow: [] });
    expect(done({ do: 'capLevel', level: 1 })).toMatchObject({ decided: undefined, capLevel: 1 });
    expect(done({ do: 'requireQuorum', quorum: 3 })).toMatchObject({ decided: undefined, quorum: 3 });
    for (const wrong of [{ do: 'shrug' }, { do: 'capLevel' }, { do: 'capLevel', level: 9 }, { do: 'requireQuorum', quorum: 0 }]) expect(() => rule({}, wrong)).toThrow();
    expect(PolicyRule.safeParse({ when: {}, then: { do: 'deny' } }).success).toBe(false);
  });

  it('adds the lowest cap and the highest quorum that come before the rule that decides', () => {
    const rules = [rule({}, { do: 'capLevel', level: 3 }), rule({}, { do: 'capLevel', level: 1 }), rule({}, { do: 'requireQuorum', quorum: 2 }), rule({}, { do: 'ask' }), rule({}, { do: 'capLevel', level: 0 })];
    expect(applyPolicies(rules, subject(), () => false)).toMatchObject({ decided: { do: 'ask' }, capLevel: 1, quorum: 2 });
  });
});
