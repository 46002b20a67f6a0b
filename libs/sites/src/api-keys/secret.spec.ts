import { describe, expect, it, jest } from '@jest/globals';
import * as crypto from 'node:crypto';

const compared: (readonly [number, number])[] = [];
jest.unstable_mockModule('node:crypto', () => ({
  ...crypto,
  timingSafeEqual: (a: Buffer, b: Buffer) => {
    compared.push([a.byteLength, b.byteLength]);
    return crypto.timingSafeEqual(a, b);
  },
}));
const { hashOf, keyIdOf, matches, newKey } = await import('./secret');

const id = `key_${'0123456789abcdef'.repeat(2)}`;

describe('The secret of an API key', () => {
  it('names its id and holds 256 random bits, and no two are alike', () => {
    const [one, two] = [newKey(id), newKey(id)];
    expect(one).toMatch(/^hk_(0123456789abcdef){2}_[A-Za-z0-9_-]{43}$/);
    expect([keyIdOf(one), keyIdOf(two), one === two]).toEqual([id, id, false]);
  });

  it('has an id made from its hash when it was not issued here', () => {
    expect(keyIdOf('hk_chosen-by-the-operator')).toMatch(/^key_[0-9a-f]{32}$/);
    expect(keyIdOf('hk_chosen-by-the-operator')).toBe(keyIdOf('hk_chosen-by-the-operator'));
    expect(keyIdOf('hk_chosen-by-another')).not.toBe(keyIdOf('hk_chosen-by-the-operator'));
  });

  it.each(['', 'sk_0123', 'HK_0123', `hk_${'x'.repeat(510)}`])('is no key at all: %j', (text) => {
    expect(keyIdOf(text)).toBeUndefined();
  });

  it('[SEC-011] is compared in constant time, as hashes of one length', () => {
    const key = newKey(id);
    const guesses = [key, `${key}x`, key.slice(0, -1), newKey(id), 'hk_', ''];
    compared.length = 0;
    expect(guesses.map((guess) => matches(guess, hashOf(key)))).toEqual([true, false, false, false, false, false]);
    expect(matches(key, '0'.repeat(64))).toBe(false);
    expect(compared).toEqual(Array.from({ length: 7 }, () => [32, 32]));
  });
});
