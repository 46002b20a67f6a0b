import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkArguments, schemaProblem } from './schema-validator';

const BOUND_MS = 2_000;
const timed = (schema: Record<string, unknown>) => {
  const started = performance.now();
  const problem = schemaProblem(schema);
  return { problem, ms: performance.now() - started };
};
const nested = (depth: number) => JSON.parse(`{"type":"object","properties":${'{"a":{"properties":'.repeat(depth)}{}${'}}'.repeat(depth)}}`) as Record<string, unknown>;
/** Every definition names the next one `times` times: small text, `times` to the power of `length` steps. */
const doubling = (length: number, use: (ref: object) => object) => ({
  type: 'object',
  properties: { a: { $ref: '#/$defs/d0' } },
  $defs: Object.fromEntries([...Array(length).keys()].map((n) => [`d${n}`, n === length - 1 ? { type: 'string' } : use({ $ref: `#/$defs/d${n + 1}` })])),
});

const BOMBS: Readonly<Record<string, Record<string, unknown>>> = {
  'that doubles with every reference': doubling(40, (ref) => ({ allOf: [ref, ref] })),
  'that doubles in its properties': doubling(40, (ref) => ({ properties: { l: ref, r: ref } })),
  'nested 200 levels deep': nested(200),
  'nested 200 000 levels deep': nested(200_000),
  'that is itself': { type: 'object', allOf: [{ $ref: '#' }] },
  'that is itself by a detour': { type: 'object', $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }] }, b: { not: { $ref: '#/$defs/a' } } } },
  'that doubles with every level of the input': { type: 'object', anyOf: [{ properties: { a: { $ref: '#' } } }, { properties: { a: { $ref: '#' } } }] },
  'that doubles two levels down': { type: 'object', properties: { a: { properties: { b: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } } } } },
  'with 3 000 parts': { type: 'object', anyOf: Array.from({ length: 3_000 }, () => ({ not: {} })) },
  'with a chain of 1 000 references': doubling(1_000, (ref) => ref),
  'of 100 000 values': { type: 'object', properties: { a: { enum: Array.from({ length: 100_000 }, (_each, n) => n) } } },
  'with a pattern that explodes': { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$'.repeat(2_000) } } },
};

describe('The bounds of a schema', () => {
  it.each(Object.keys(BOMBS))('[SEC-013] refuse one %s, within a time bound', (name) => {
    const { problem, ms } = timed(BOMBS[name]!);
    expect(typeof problem).toBe('string');
    expect(ms).toBeLessThan(BOUND_MS);
  });

  it('let a tree, a list of lists and any JSON value refer to themselves', () => {
    const tree = { type: 'object', properties: { left: { $ref: '#' }, right: { $ref: '#' }, value: { type: 'number' } } };
    const json = {
      type: 'object', properties: { a: { $ref: '#/$defs/json' } },
      $defs: { json: { anyOf: [{ type: ['string', 'number', 'boolean', 'null'] }, { type: 'array', items: { $ref: '#/$defs/json' } }, { type: 'object', additionalProperties: { $ref: '#/$defs/json' } }] } },
    };
    for (const schema of [tree, json]) expect(schemaProblem(schema)).toBeUndefined();
    expect(checkArguments(tree, { left: { right: { value: 'x' } } }).problems).toEqual([{ path: '/left/right/value', message: 'must be number' }]);
    expect(checkArguments(json, { a: [{ b: [1, null] }] }).problems).toEqual([]);
  });

  it('[SEC-013] let no schema through that takes longer than the bound to check (property SB1)', () => {
    const names = fc.constantFrom('a', 'b', 'c', 'd');
    const ref = names.map((name) => ({ $ref: `#/$defs/${name}` }));
    const { schema } = fc.letrec<{ schema: object }>((tie) => ({
      schema: fc.oneof(
        { depthSize: 'small' }, ref, fc.constant({ type: 'string' }),
        fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((allOf) => ({ allOf })),
        fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
        fc.dictionary(names, tie('schema'), { maxKeys: 3 }).map((properties) => ({ properties })),
        tie('schema').map((additionalProperties) => ({ additionalProperties })),
        tie('schema').map((items) => ({ items })),
      ),
    }));
    const input = JSON.parse(`${'{"a":['.repeat(20)}{"b":"x"}${']}'.repeat(20)}`) as Record<string, unknown>;
    fc.assert(
      fc.property(fc.record({ a: schema, b: schema, c: schema, d: schema }), ($defs) => {
        const made = { type: 'object', $ref: '#/$defs/a', $defs };
        const started = performance.now();
        if (schemaProblem(made) === undefined) checkArguments(made, input);
        expect(performance.now() - started).toBeLessThan(BOUND_MS);
      }),
      { numRuns: 300 },
    );
  });
});
