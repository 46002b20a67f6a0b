import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { valueProblems } from './field-value.policy';
import { FIELD_TYPES, type Constraints, type Field } from './field.schema';
import { re2Patterns } from './re2-patterns';

const problems = (type: Field['type'], value: unknown, constraints?: Constraints) =>
  valueProblems({ name: 'f', type, ...(constraints && { constraints }) }, value, re2Patterns);

type Case = readonly [type: Field['type'], value: unknown, constraints?: Constraints];
/** Jest takes a missing last argument for a callback to wait for. */
const complete = (cases: readonly Case[]) => cases.map(([type, value, constraints]) => [type, value, constraints] as const);

const good = complete([
  ['text', ''],
  ['text', '日本'],
  ['longtext', 'a\nb'],
  ['integer', -0],
  ['integer', 2 ** 53 - 1],
  ['number', 1.5],
  ['number', -3],
  ['boolean', false],
  ['date', '2028-02-29'],
  ['datetime', '2030-01-31T09:30:00Z'],
  ['datetime', '2030-01-31T09:30:00.123+07:00'],
  ['json', { a: [1, null, { b: 'x' }] }],
  ['json', []],
  ['enum', 'b', { options: ['a', 'b'] }],
  ['text', '𝒳𝒳', { maxLength: 2 }],
  ['text', 'abc', { minLength: 3, maxLength: 3 }],
  ['integer', 5, { min: 5, max: 5 }],
  ['text', 'AB-12', { pattern: '^[A-Z]{2}-\\d+$' }],
  ['text', 'xAx', { pattern: 'A' }],
]);
const bad = complete([
  ['text', 3],
  ['text', null],
  ['text', 'a\0b'],
  ['text', '\ud800'],
  ['integer', 1.5],
  ['integer', '3'],
  ['integer', 2 ** 53],
  ['integer', NaN],
  ['number', '1'],
  ['number', Infinity],
  ['number', 2 ** 60],
  ['boolean', 'false'],
  ['boolean', 0],
  ['date', '2027-02-29'],
  ['date', '2030-1-1'],
  ['date', '2030-01-01T00:00:00Z'],
  ['datetime', '2030-01-01T00:00:00'],
  ['datetime', '2030-01-01'],
  ['datetime', 0],
  ['json', undefined],
  ['json', { a: 2 ** 60 }],
  ['json', { 'a\0': 1 }],
  ['json', { a: () => 1 }],
  ['enum', 'c', { options: ['a', 'b'] }],
  ['enum', 'toString', { options: ['a'] }],
  ['text', 'abc', { maxLength: 2 }],
  ['text', 'a', { minLength: 2 }],
  ['number', 1, { min: 1.5 }],
  ['integer', 6, { max: 5 }],
  ['text', 'ab-12', { pattern: '^[A-Z]{2}-\\d+$' }],
]);

describe('A value of a field', () => {
  it.each(good)('of type %s may be %j with %j', (type, value, constraints) => expect(problems(type, value, constraints)).toEqual([]));

  it.each(bad)('of type %s may not be %j with %j', (type, value, constraints) =>
    expect(problems(type, value, constraints)).toHaveLength(1),
  );

  it('may not nest so deep that code which walks it runs out of stack', () => {
    const nested = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)) as unknown;
    expect(problems('json', nested)).toHaveLength(1);
  });

  it('is not matched when it is so long that matching would take long', () => {
    expect(problems('text', 'a'.repeat(10_001), { pattern: 'a' })).toHaveLength(1);
  });

  it('is refused in time that grows with its length only, also by a pattern that makes other engines hang', () => {
    expect(problems('text', `${'a'.repeat(9_999)}!`, { pattern: '^(a+)+$' })).toHaveLength(1);
  });

  it('never makes the check throw', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FIELD_TYPES), fc.anything(), (type, value) => {
        expect(problems(type, value, { options: ['a'] })).toBeInstanceOf(Array);
      }),
      { numRuns: 500 },
    );
  });
});
