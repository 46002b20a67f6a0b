import { LRUCache } from 'lru-cache';
import { RE2JS, type RE2JSSyntaxException } from 're2js';

/**
 * Matching costs text length × program size: 10 000 characters against 1 833 instructions took 170 ms. The caller bounds the text, this bounds
 * the program. Counted repetitions are summed up first, because compiling is what costs most: `a{0,999}` 25 times takes 150 ms, and 1 s cold.
 */
const MAX_INSTRUCTIONS = 1_000;

const repetitions = (pattern: string) =>
  [...pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)].reduce(
    (sum, [, least, most]) => sum + Number(most === undefined || most === '' ? least : most),
    0,
  );

const TOO_LARGE = 'Repeats too much: use a length limit, or a smaller pattern';

const compiled = new LRUCache<string, RE2JS>({ max: 1_000 });

/** RE2 syntax: no look-around and no back-references, therefore no text that makes a match explode. */
export const linearPattern = (pattern: string): RE2JS => {
  const known = compiled.get(pattern);
  if (known) return known;
  const made = RE2JS.compile(pattern);
  compiled.set(pattern, made);
  return made;
};

/** Why a pattern cannot be used, or null when it can. */
export const patternProblem = (pattern: string): string | null => {
  if (repetitions(pattern) > MAX_INSTRUCTIONS) return TOO_LARGE;
  try {
    return RE2JS.compile(pattern).programSize() > MAX_INSTRUCTIONS ? TOO_LARGE : null;
  } catch (error) {
    return `Must be a pattern that can be matched in linear time (RE2 syntax): ${(error as RE2JSSyntaxException).message}`;
  }
};

/** Whether the pattern is found anywhere in the text. */
export const matchesPattern = (pattern: string, text: string): boolean => linearPattern(pattern).test(text);
