import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { applyPolicies, PolicyRule, TOOL_RISKS } from '@app/governance/contract';
import { lintPolicies } from './lint-policies.policy';

const rule = (name: string, when: PolicyRule['when'], then: PolicyRule['then'] = { do: 'deny' }, mode: PolicyRule['mode'] = 'enforce'): PolicyRule => ({ name, when, then, mode });
const facts = { tools: ['note', 'getItem'], roles: ['Writer'], patternProblem: (pattern: string) => (pattern === '(' ? 'Open bracket' : null) };
const pointersOf = (...rules: PolicyRule[]) => lintPolicies(rules, facts).faults.map(({ pointer }) => pointer);
const condition = (test: object) => rule('c', { arguments: [{ path: '/n', ...test }] });

describe('The lint of policies', () => {
  it.each([
    ['a deciding rule without conditions hides all that follow', [rule('all', {}), rule('b', { tool: 'note' }), rule('c', {}, { do: 'capLevel', level: 1 })], ['/rules/1', '/rules/2']],
    ['a shadow rule hides nothing', [rule('all', {}, { do: 'deny' }, 'shadow'), rule('b', {})], []],
    ['a cap hides nothing', [rule('all', {}, { do: 'capLevel', level: 0 }), rule('b', {})], []],
    ['a wider list hides a narrower one', [rule('a', { tool: ['note', 'getItem'], risk: 'read' }), rule('b', { tool: 'note', risk: 'read', role: 'Writer' })], ['/rules/1']],
    ['a narrower list hides nothing', [rule('a', { tool: 'note' }), rule('b', { tool: ['note', 'getItem'] })], []],
    ['the same argument condition hides, another does not', [rule('a', { arguments: [{ path: '/n', gt: 1 }] }), rule('b', { arguments: [{ path: '/n', gt: 1 }, { path: '/m', exists: true }] }), rule('c', { arguments: [{ path: '/n', gt: 2 }] })], ['/rules/1']],
    ['a time of day hides only the same time', [rule('a', { time: { from: '08:00', to: '10:00' } }), rule('b', { time: { from: '08:00', to: '10:00' }, tool: 'note' }), rule('c', {})], ['/rules/1']],
  ])('%s', (_name, rules, pointers) => expect(pointersOf(...rules)).toEqual(pointers));

  it.each([
    ['missing and yet equal', { exists: false, eq: 1 }, true], ['above what it must be below', { gt: 3, lt: 3 }, true], ['a number and a text', { gt: 1, matches: 'x' }, true],
    ['equal to what is not in its list', { eq: 1, in: [2, 3] }, true], ['equal to what is too small', { eq: 1, gt: 1 }, true], ['a list without a number above', { in: ['a', 1], gt: 1 }, true],
    ['between two numbers', { gt: 1, lt: 2 }, false], ['one of its list', { eq: 2, in: [2, 3], gt: 1 }, false], ['there and a text', { exists: true, matches: 'x' }, false], ['missing', { exists: false }, false],
  ])('of a condition that is %s', (_name, test, never) => expect(pointersOf(condition(test))).toEqual(never ? ['/rules/0/when/arguments/0'] : []));

  it('never calls a rule unreachable that some call reaches', () => {
    const names = ['note', 'getItem', 'other'];
    const oneOrMore = <T>(values: readonly T[]) => fc.oneof(fc.constantFrom(...values), fc.subarray([...values], { minLength: 1 }));
    const when = fc.record({ tool: oneOrMore(names), role: oneOrMore(['Writer', 'SEO']), risk: oneOrMore(TOOL_RISKS), capability: oneOrMore(['a:read', 'b:read']), origin: oneOrMore(['user', 'flow'] as const) }, { requiredKeys: [] });
    const anyRule = fc.record({ when, then: fc.record({ do: fc.constantFrom('allow', 'ask', 'deny') }), mode: fc.constantFrom('enforce', 'shadow') });
    fc.assert(
      fc.property(fc.array(anyRule, { minLength: 2, maxLength: 5 }), fc.constantFrom(...names), fc.constantFrom('Writer', 'SEO', undefined), fc.constantFrom(...TOOL_RISKS), fc.subarray(['a:read', 'b:read'], { minLength: 1 }), fc.constantFrom('user', 'flow'), (given, name, role, risk, requiredCapabilities, origin) => {
        const rules = given.map((one, nr) => PolicyRule.parse({ name: `rule ${nr}`, ...one }));
        const hidden = lintPolicies(rules, facts).faults.filter(({ detail }) => detail.startsWith('Never reached')).map(({ pointer }) => Number(pointer.split('/')[2]));
        const { decided } = applyPolicies(rules, { tool: { name, risk, requiredCapabilities }, role, origin, arguments: {}, now: new Date(0) }, () => false);
        if (decided) expect(hidden).not.toContain(rules.findIndex((one) => one.name === decided.rule));
      }),
      { numRuns: 1_000 },
    );
  });
});
