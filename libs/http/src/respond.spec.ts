import { describe, expect, it } from '@jest/globals';
import { toJson } from './json/serialise';
import { listAnswer } from './respond';

describe('A list answer', () => {
  const rows = [{ id: 'a', position: 5n }, { id: 'b', position: 6n }];

  it('[API-003] holds data, the next cursor and the position as text', () => {
    expect(JSON.parse(toJson(listAnswer({ rows, nextCursor: 'c', position: 9n })))).toEqual({
      data: [{ id: 'a', position: '5' }, { id: 'b', position: '6' }], nextCursor: 'c', position: '9',
    });
  });

  it('[API-003] has no next cursor on the last page', () => {
    expect(listAnswer({ rows, nextCursor: null, position: 9n }, ({ id }) => id)).toEqual({ data: ['a', 'b'], nextCursor: null, position: '9' });
  });
});

describe('JSON', () => {
  it('writes bigint as text at any depth, beyond what a number holds', () => {
    expect(toJson({ a: [1n, { b: 2n ** 63n }], c: 1 })).toBe('{"a":["1",{"b":"9223372036854775808"}],"c":1}');
  });

  it('writes null where there is nothing to write', () => {
    expect(toJson(undefined)).toBe('null');
  });
});
