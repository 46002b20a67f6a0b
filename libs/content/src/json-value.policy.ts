/** Deeper values are nobody's content, and code that walks them would run out of stack. */
const MAX_DEPTH = 32;

/**
 * Why a value cannot be kept exactly, or null. The HTTP edge refuses most of this already; a command can also come from a tool call.
 * Numbers beyond 2^53 - 1 may have lost digits before they arrived; PostgreSQL stores no NUL, and half a surrogate pair has no UTF-8.
 */
export const jsonProblem = (value: unknown, depth = 0): string | null => {
  switch (typeof value) {
    case 'string':
      return textProblem(value);
    case 'number':
      return Math.abs(value) <= Number.MAX_SAFE_INTEGER ? null : 'Must be a number between -(2^53 - 1) and 2^53 - 1';
    case 'boolean':
      return null;
    case 'object':
      if (value === null) return null;
      if (depth === MAX_DEPTH) return `Must not nest deeper than ${MAX_DEPTH} levels`;
      for (const [key, inner] of Object.entries(value)) {
        const problem = textProblem(key) ?? jsonProblem(inner, depth + 1);
        if (problem !== null) return problem;
      }
      return null;
    default:
      return 'Must be a JSON value';
  }
};

const textProblem = (text: string): string | null => {
  if (text.includes('\0')) return 'Must not hold a NUL character';
  return text.isWellFormed() ? null : 'Must be well-formed Unicode: half a surrogate pair is not';
};

/** Equality of JSON values; the order of an object's keys does not count. */
export const sameJson = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null || Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  return (
    left.length === Object.keys(b).length &&
    left.every(([key, value]) => Object.hasOwn(b, key) && sameJson(value, (b as Record<string, unknown>)[key]))
  );
};
