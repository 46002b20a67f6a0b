import { describe, expect, it } from '@jest/globals';
import { matchesPattern } from '@app/json-schema';
import { Evaluator } from '../evaluator.schema';
import { blockingFailures, evaluate, warnings, type Content } from './evaluate.policy';

const rule = (rule: string, field: string, more: Record<string, unknown> = {}): Evaluator => Evaluator.parse({ id: 'one', type: 'rule', rule, field, ...more });
const resultsOf = (evaluators: readonly Evaluator[], content: Content) => {
  const evaluated = evaluate(evaluators, content, { matches: matchesPattern });
  return evaluated.ok ? evaluated.results : [];
};
const passes = (evaluator: Evaluator, data: unknown) => resultsOf([evaluator], { data })[0]!.passed;
const detailOf = (evaluator: Evaluator, data: unknown) => resultsOf([evaluator], { data })[0]!.detail;

describe('A rule', () => {
  it.each([undefined, null, '', '  \n', [], {}])('[CONST-009] required fails when the field is %j', (title) => {
    expect(passes(rule('required', 'title'), title === undefined ? {} : { title })).toBe(false);
  });

  it.each(['x', 0, false, [0], { a: null }])('[CONST-009] required passes when the field is %j', (title) => {
    expect(passes(rule('required', 'title'), { title })).toBe(true);
  });

  it.each([['draft', true], ['Draft', false], [3, false], [undefined, false]])('[CONST-010] equals draft: %j gives %s', (state, expected) => {
    expect(passes(rule('equals', 'state', { value: 'draft' }), { state })).toBe(expected);
  });

  it('[CONST-010] equals tells types apart', () => {
    expect(passes(rule('equals', 'count', { value: 3 }), { count: '3' })).toBe(false);
    expect(passes(rule('equals', 'live', { value: false }), { live: false })).toBe(true);
  });

  it.each([
    ['max_length', 3, 'abc', true], ['max_length', 3, 'abcd', false], ['max_length', 2, '𝒳𝒳', true], ['max_length', 1, ['a', 'b'], false], ['max_length', 0, undefined, true],
    ['min_length', 3, 'abc', true], ['min_length', 3, 'ab', false], ['min_length', 1, undefined, false], ['min_length', 2, ['a', 'b'], true],
  ] as const)('[CONST-011] %s %d: %j gives %s', (name, value, title, expected) => {
    expect(passes(rule(name, 'title', { value }), { title })).toBe(expected);
  });

  it.each([['AB-12', true], ['xAB-12', false], ['', false], [undefined, false], [[1], false]])('[CONST-012] regex: %j gives %s', (sku, expected) => {
    expect(passes(rule('regex', 'sku', { value: '^[A-Z]{2}-\\d+$' }), { sku })).toBe(expected);
  });

  it.each([
    ['contains', 'free of charge', true], ['contains', 'paid', false], ['contains', undefined, false], ['contains', ['no', 'for free'], true],
    ['not_contains', 'free of charge', false], ['not_contains', 'paid', true], ['not_contains', undefined, true], ['not_contains', ['no', 'for free'], false],
  ] as const)('[CONST-013] %s "free": %j gives %s', (name, text, expected) => {
    expect(passes(rule(name, 'text', { value: 'free' }), { text })).toBe(expected);
  });

  it('[CONST-015] with a catastrophic pattern is decided at once, and texts that are too long for any pattern fail unread', () => {
    const started = performance.now();
    expect(passes(rule('regex', 'text', { value: '^(a+)+$' }), { text: `${'a'.repeat(5_000)}!` })).toBe(false);
    expect(detailOf(rule('regex', 'text', { value: '(a|aa)+$' }), { text: 'a'.repeat(1_000_000) })).toContain('too many for a pattern');
    // A backtracking engine needs 2^5000 steps for the first; half a second is 50 times what this engine takes.
    expect(performance.now() - started).toBeLessThan(500);
  });

  it('[CONST-014] looks along a dot path, through lists, and never into a prototype', () => {
    const data = { seo: { title: 'Shoes' }, sections: [{ title: 'One' }, { title: '' }], tags: ['a', 'b'] };
    expect(passes(rule('equals', 'seo.title', { value: 'Shoes' }), data)).toBe(true);
    expect(passes(rule('required', 'sections.title'), data)).toBe(false);
    expect(passes(rule('required', 'sections.0.title'), data)).toBe(true);
    expect(passes(rule('equals', 'tags.1', { value: 'b' }), data)).toBe(true);
    for (const field of ['constructor.name', '__proto__.toString', 'seo.missing.deeper', 'tags.length']) expect(passes(rule('required', field), data)).toBe(false);
  });

  it('[CONST-014] passes at or above its threshold, the share of values that hold', () => {
    const data = { rows: [{ sku: 'a' }, { sku: 'b' }, { sku: '' }, { sku: 'd' }] };
    expect(resultsOf([rule('required', 'rows.sku', { threshold: 0.75 })], { data })).toMatchObject([{ passed: true, score: 0.75, threshold: 0.75, detail: null }]);
    expect(resultsOf([rule('required', 'rows.sku', { threshold: 0.76 })], { data })).toMatchObject([{ passed: false, detail: 'rows.sku is missing or empty' }]);
    expect(passes(rule('required', 'rows.sku'), data)).toBe(false);
    expect(passes(rule('required', 'rows.sku'), { rows: [] })).toBe(false);
  });

  it('[CONST-014] speaks only within its scope', () => {
    const products = rule('required', 'title', { scope: { collection: 'products' } });
    const plans = rule('required', 'title', { scope: { artifactType: 'plan' } });
    const seen = (content: Omit<Content, 'data'>) => resultsOf([products, plans], { ...content, data: {} }).length;
    expect([seen({ collection: 'products' }), seen({ artifactType: 'plan' }), seen({ collection: 'pages' }), seen({})]).toEqual([1, 1, 0, 0]);
  });

  it('[CONST-014] [CONST-022] is blocking unless it says warning', () => {
    const results = resultsOf([rule('required', 'a'), { ...rule('required', 'b', { severity: 'warning' }), id: 'two' }], { data: {} });
    expect([blockingFailures(results), warnings(results)].map((each) => each.map(({ evaluatorId }) => evaluatorId))).toEqual([['one'], ['two']]);
  });
});

describe('A judge', () => {
  const voice = Evaluator.parse({ id: 'voice', type: 'llm_judge', prompt: 'Is it friendly?', threshold: 0.8, scope: { collection: 'products' } });
  const judged = (score: number) => evaluate([voice], { collection: 'products', data: {} }, { matches: matchesPattern, judged: new Map([['voice', { score, reason: 'Too curt' }]]) });

  it('passes at or above its threshold', () => {
    expect(judged(0.8)).toMatchObject({ ok: true, results: [{ passed: true, detail: null }] });
    expect(judged(0.79)).toMatchObject({ ok: true, results: [{ passed: false, detail: 'Too curt' }] });
  });

  it('[CONST-016] that nobody could ask makes the evaluation fail, not pass', () => {
    expect(evaluate([voice], { collection: 'products', data: {} }, { matches: matchesPattern })).toMatchObject({ ok: false, rejection: { code: 'LLM_NOT_CONFIGURED', facts: { evaluatorId: 'voice' } } });
    expect(evaluate([voice], { collection: 'pages', data: {} }, { matches: matchesPattern })).toEqual({ ok: true, results: [] });
  });
});
