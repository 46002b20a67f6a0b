import { unreachable } from '@app/kernel';
import type { RuleEvaluator } from '../evaluator.schema';

/** Finds a pattern in a text in linear time; handed in, because patterns are compiled outside. */
export type Matcher = (pattern: string, text: string) => boolean;

/** Matching costs text length times pattern size: 10 000 characters against the largest pattern take about 100 ms. Longer texts fail unread. */
export const MAX_MATCHED = 10_000;

/** Why a value breaks a rule, or null when it holds. A missing value has length 0, contains nothing and matches nothing. */
export const ruleProblem = (evaluator: RuleEvaluator, value: unknown, matches: Matcher): string | null => {
  const { field, rule } = evaluator;
  switch (rule) {
    case 'required':
      return isEmpty(value) ? `${field} is missing or empty` : null;
    case 'equals':
      return value === evaluator.value ? null : `${field} is not ${JSON.stringify(evaluator.value)}`;
    case 'max_length':
      return lengthOf(value) > evaluator.value ? `${field} has length ${lengthOf(value)}, at most ${evaluator.value} is allowed` : null;
    case 'min_length':
      return lengthOf(value) < evaluator.value ? `${field} has length ${lengthOf(value)}, at least ${evaluator.value} is needed` : null;
    case 'regex': {
      const text = textOf(value);
      if (text !== null && text.length > MAX_MATCHED) return `${field} has more than ${MAX_MATCHED} characters, too many for a pattern`;
      return text !== null && matches(evaluator.value, text) ? null : `${field} does not match ${evaluator.value}`;
    }
    case 'contains':
      return contains(value, evaluator.value) ? null : `${field} does not contain ${JSON.stringify(evaluator.value)}`;
    case 'not_contains':
      return contains(value, evaluator.value) ? `${field} contains ${JSON.stringify(evaluator.value)}` : null;
    default:
      return unreachable(evaluator);
  }
};

const isEmpty = (value: unknown): boolean => {
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
};

const textOf = (value: unknown): string | null =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;

/** Characters of a text as readers count them, elements of a list, members of an object. */
const lengthOf = (value: unknown): number => {
  const text = textOf(value);
  if (text !== null) return [...text].length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
};

/** A text contains another as it is written; a list or an object contains it when one of its values does. */
const contains = (value: unknown, wanted: string): boolean =>
  typeof value === 'object' && value !== null ? Object.values(value).some((inner) => contains(inner, wanted)) : (textOf(value)?.includes(wanted) ?? false);
