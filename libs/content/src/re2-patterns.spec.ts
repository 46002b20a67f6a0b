import { describe, expect, it } from '@jest/globals';
import { re2Patterns } from './re2-patterns';

describe('Patterns', () => {
  it.each(['^[A-Z]{2}-\\d{1,8}$', '(?i)yes|no', '\\p{L}+', '^(a+)+$', '.{3,}', 'a'.repeat(200)])('take %s', (pattern) => {
    expect(re2Patterns.problem(pattern)).toBeNull();
  });

  it.each(['^(?=a)b', '(?<!a)b', '(a)\\1', 'a{1001}', '(?:ab){900}', '((a{30}){30}){2}', 'a{0,999}'.repeat(25), '[', '(', 'x{2,1}'])(
    'refuse %s',
    (pattern) => {
      expect(re2Patterns.problem(pattern)).toMatch(/^(Must be|Repeats)/);
    },
  );

  it('are found anywhere in a text, unless they say where', () => {
    expect(re2Patterns.matches('b', 'abc')).toBe(true);
    expect(re2Patterns.matches('^b', 'abc')).toBe(false);
  });
});
