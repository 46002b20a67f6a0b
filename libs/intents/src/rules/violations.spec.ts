import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEEDED_ROLES } from '@app/governance/contract';
import { matchesPattern } from '@app/json-schema';
import type { Rule } from '../intent.schema';
import { linksIn } from './links.policy';
import { fingerprintOf, keysOf, ROLE_OF } from './rule-key.policy';
import { ruleProblems } from './rules.policy';
import { violations, type Facts } from './violations.policy';

const FIELDS = ['title', 'body', 'slug', 'translations', 'title_de', 'title_pt_BR'];
const NOW = new Date('2027-01-31T00:00:00Z');
const facts = (more: Partial<Facts> = {}): Facts => ({ now: NOW, fields: FIELDS, broken: new Set(), matches: matchesPattern, ...more });
const found = (rule: Rule, data: Record<string, unknown>, { updatedAt = '2027-01-30T00:00:00Z', pinned = [] as string[], ...more }: Partial<Facts> & { updatedAt?: string; pinned?: string[] } = {}) =>
  violations([rule], { data, updatedAt, pinned }, facts(more)).map(({ ruleKey }) => ruleKey);

describe('A rule', () => {
  it('[INTENT-002] required_fields reports items that lack one of the fields', () => {
    const rule: Rule = { type: 'required_fields', fields: ['title', 'body'] };
    expect(found(rule, { title: 'Hello', body: 'World' })).toEqual([]);
    expect(found(rule, { title: 'Hello' })).toEqual(['body']);
    expect(found(rule, { title: '  ', body: {} })).toEqual(['title', 'body']);
    expect(found({ type: 'required_fields', fields: ['title'] }, { title: 0 })).toEqual([]);
    expect(found({ type: 'required_fields', fields: ['title'] }, { title: false })).toEqual([]);
  });

  it('[INTENT-003] freshness reports items older than the limit', () => {
    const rule: Rule = { type: 'freshness', maxAgeDays: 30 };
    expect(found(rule, {}, { updatedAt: '2027-01-01T00:00:00Z' })).toEqual([]);
    expect(found(rule, {}, { updatedAt: '2026-12-31T23:59:59Z' })).toEqual(['age']);
  });

  it('[INTENT-004] translations reports items without one of the locales', () => {
    const inOne: Rule = { type: 'translations', locales: ['de', 'pt-BR'] };
    expect(found(inOne, { translations: { de: { title: 'Hallo' }, 'pt-BR': 'Olá' } })).toEqual([]);
    expect(found(inOne, { translations: { de: { title: '' } } })).toEqual(['de', 'pt-BR']);
    expect(found(inOne, {})).toEqual(['de', 'pt-BR']);
    expect(found({ ...inOne, field: 'body', fields: ['title'] }, { body: { de: { title: 'Hallo' }, 'pt-BR': { body: 'x' } } })).toEqual(['pt-BR']);
    const sisters: Rule = { type: 'translations', locales: ['de', 'pt-BR'], fields: ['title'] };
    expect(found(sisters, { title: 'Hello', title_de: 'Hallo' })).toEqual(['pt-BR']);
    expect(found(inOne, { translations: Object.assign(Object.create({ de: 'inherited' }) as object, { 'pt-BR': 'Olá' }) })).toEqual(['de']);
  });

  it('[INTENT-005] link_health reports items with broken links', () => {
    const rule: Rule = { type: 'link_health' };
    const [dead, fine, item] = ['https://example.org/gone', 'https://example.org/here', `item_${'0'.repeat(32)}`];
    const broken = new Set([dead, item]);
    expect(found(rule, { body: `See [this](${fine}).`, title: 'No link' }, { broken })).toEqual([]);
    expect(found(rule, { body: `See [this](${dead}) and <a href="${fine}">that</a>.` }, { broken })).toEqual(['body']);
    expect(found(rule, { translations: { de: { links: [dead] } }, slug: item }, { broken })).toEqual(['slug', 'translations']);
    expect(found({ type: 'link_health', fields: ['title'] }, { body: dead }, { broken })).toEqual([]);
    expect(linksIn(`a ${dead}, (${fine}). "${item}" http:// https://x.example/a_b?q=1#f!`)).toEqual([dead, fine, 'https://x.example/a_b?q=1#f', item]);
  });

  it('[INTENT-006] field_constraint reports items that break the length limits or the pattern', () => {
    const rule: Rule = { type: 'field_constraint', field: 'title', minLength: 2, maxLength: 5, pattern: '^[A-Z]' };
    expect(found(rule, { title: 'Fine' })).toEqual([]);
    expect(found(rule, { title: 'A' })).toEqual(['title.minLength']);
    expect(found(rule, { title: 'Longer' })).toEqual(['title.maxLength']);
    expect(found(rule, { title: 'low' })).toEqual(['title.pattern']);
    expect(found(rule, { title: 'much too long' })).toEqual(['title.maxLength', 'title.pattern']);
    expect(found(rule, { title: '😀😀😀😀😀' })).toEqual(['title.pattern']);
    expect(found(rule, {})).toEqual([]);
    const started = performance.now();
    expect(found({ type: 'field_constraint', field: 'title', pattern: '^(a+)+$' }, { title: `${'a'.repeat(9_000)}!` })).toEqual(['title.pattern']);
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('[INTENT-007] glossary_compliance reports items that break the glossary', () => {
    const rule: Rule = { type: 'glossary_compliance', terms: [{ term: 'sign in', avoid: ['log in', 'Login'] }, { term: 'IT', avoid: ['It'], caseSensitive: true }] };
    expect(found(rule, { title: 'Please sign in', body: 'It is not the loginname, nor a blog in here' })).toEqual(['body']);
    expect(found(rule, { title: 'Please sign in', body: 'Not the loginname, nor a blog in here' })).toEqual([]);
    expect(found(rule, { title: 'LOG IN now', body: 'your login!' })).toEqual(['title', 'body']);
    expect(found(rule, { translations: { en: ['log in'] } })).toEqual(['translations']);
    expect(found({ ...rule, fields: ['body'] }, { title: 'log in' })).toEqual([]);
  });

  it('[INTENT-008] gives a drift the fingerprint of intent, item, rule type and rule key', () => {
    expect(fingerprintOf('int_1', 'item_2', 'field_constraint', 'title.maxLength')).toBe('int_1:item_2:field_constraint:title.maxLength');
    const part = fc.constantFrom('a', 'b', 'ab');
    fc.assert(fc.property(fc.tuple(part, part, part), fc.tuple(part, part, part), (one, other) => {
      const of = ([intentId, itemId, key]: readonly string[]) => fingerprintOf(`int_${intentId}`, `item_${itemId}`, 'required_fields', key!);
      expect(of(one) === of(other)).toBe(one.join() === other.join());
    }));
  });

  it('leaves out whatever an agent could repair only by writing a pinned field', () => {
    expect(found({ type: 'required_fields', fields: ['title', 'body'] }, {}, { pinned: ['title'] })).toEqual(['body']);
    expect(found({ type: 'translations', locales: ['de'] }, {}, { pinned: ['translations'] })).toEqual([]);
    expect(found({ type: 'freshness', maxAgeDays: 1 }, {}, { updatedAt: '2026-01-01T00:00:00Z', pinned: FIELDS })).toEqual([]);
    expect(found({ type: 'freshness', maxAgeDays: 1 }, {}, { updatedAt: '2026-01-01T00:00:00Z', pinned: ['title'] })).toEqual(['age']);
  });

  it('names a role that every site has and that may repair it', () => {
    for (const role of Object.values(ROLE_OF)) expect(SEEDED_ROLES.find(({ name }) => name === role)?.capabilities).toContain('items:update');
  });

  it('is refused when it could never be kept, or not be told from another', () => {
    const problems = (...rules: Rule[]) => ruleProblems(rules, { fields: FIELDS, patternProblem: (pattern) => (pattern === '(?=x)' ? 'No look-around' : null) }).map(({ pointer }) => pointer);
    expect(problems({ type: 'required_fields', fields: ['title', 'nothing'] })).toEqual(['/rules/0/fields/1']);
    expect(problems({ type: 'field_constraint', field: 'nothing', maxLength: 3 }, { type: 'field_constraint', field: 'title' })).toEqual(['/rules/0/field', '/rules/1']);
    expect(problems({ type: 'field_constraint', field: 'title', minLength: 3, maxLength: 2 })).toEqual(['/rules/0/minLength']);
    expect(problems({ type: 'field_constraint', field: 'title', pattern: '(?=x)' })).toEqual(['/rules/0/pattern']);
    expect(problems({ type: 'translations', locales: ['fr'], fields: ['title'] }, { type: 'translations', locales: ['de', 'pt-BR'], fields: ['title'] })).toEqual(['/rules/0/fields/0']);
    expect(problems({ type: 'freshness', maxAgeDays: 1 }, { type: 'freshness', maxAgeDays: 2 })).toEqual(['/rules/1']);
    expect(problems({ type: 'link_health' }, { type: 'link_health', fields: ['title'] })).toEqual(['/rules/1']);
    expect(keysOf({ type: 'field_constraint', field: 'title', maxLength: 2, pattern: 'x' })).toEqual(['title.maxLength', 'title.pattern']);
  });
});
