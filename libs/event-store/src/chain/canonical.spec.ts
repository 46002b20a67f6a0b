import { describe, expect, it } from '@jest/globals';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { canonicalJson } from './canonical';

const nested = (levels: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = [value];
  return value;
};

describe('Canonical JSON', () => {
  it('says the same as an independent RFC 8785 program for any JSON value', () => {
    fc.assert(fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => expect(canonicalJson(value)).toBe(canonicalize(value))), { numRuns: 1_000 });
  });

  it('does not depend on the order in which members were set', () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse());
      expect(canonicalJson(reversed)).toBe(canonicalJson(value));
    }));
  });

  it('sorts members by UTF-16 code units, not by code points', () => {
    expect(canonicalJson({ '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\u{1f600}': 5, '\u0080': 6, '\u00f6': 7 })).toBe(
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
    );
  });

  it.each([
    [333333333.33333329, '333333333.3333333'], [1e30, '1e+30'], [4.5, '4.5'], [2e-3, '0.002'], [1e-27, '1e-27'], [-0, '0'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'], [5e-324, '5e-324'], [1e21, '1e+21'],
  ])('prints the number %p as ECMAScript does', (value, text) => expect(canonicalJson(value)).toBe(text));

  it('escapes only what must be escaped, in lower case', () => {
    expect(canonicalJson('\u0000\b\t\n\u000b\f\r"\\/\u007f\u2028\u001f')).toBe('"\\u0000\\b\\t\\n\\u000b\\f\\r\\"\\\\/\u007f\u2028\\u001f"');
  });

  it('leaves members out that are undefined, and asks toJSON like JSON.stringify', () => {
    expect(canonicalJson({ b: undefined, a: new Date(0) })).toBe('{"a":"1970-01-01T00:00:00.000Z"}');
    expect(canonicalJson({ a: undefined })).toBe('{}');
  });

  it.each([
    ['a number that is not finite', { a: [1, NaN] }, '/a/1'],
    ['infinity', { 'x/y': { '~': -Infinity } }, '/x~1y/~0'],
    ['a bigint', { a: 1n }, '/a'],
    ['a function', { a: () => 1 }, '/a'],
    ['a symbol', [Symbol('s')], '/0'],
    ['undefined in a list', { list: [1, undefined] }, '/list/1'],
    ['undefined alone', undefined, 'the value'],
    ['half a surrogate pair', { text: 'a\ud800' }, '/text'],
    ['half a surrogate pair in a name', { 'a\udc00': 1 }, '/a'],
    ['a toJSON that answers a bigint', { when: { toJSON: () => 1n } }, '/when'],
    ['too many levels', { deep: nested(1_001) }, '/deep/0'],
  ])('refuses %s and names the place', (_what, value, place) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
    expect(() => canonicalJson(value)).toThrow(place);
  });

  it('refuses a cycle instead of running for ever', () => {
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    expect(() => canonicalJson(cycle)).toThrow('nesting');
  });

  it('accepts 1 000 levels', () => {
    expect(canonicalJson(nested(1_000))).toHaveLength(2_001);
  });
});
