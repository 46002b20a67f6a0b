import { z } from 'zod';
import type { Patterns } from './field.policy';
import type { Field } from './field.schema';
import { jsonProblem } from './json-value.policy';

/** Longer texts are not matched; see `re2-patterns.ts` for what matching costs. */
const MAX_MATCHED = 10_000;

const isDate = (value: string) => z.iso.date().safeParse(value).success;
const isDateTime = (value: string) => z.iso.datetime({ offset: true }).safeParse(value).success;

/** Why a value is not one of the field's type, or null. Nothing is converted: "3" is no number and "false" no boolean. */
export const typeProblem = ({ type, constraints }: Field, value: unknown): string | null => {
  switch (type) {
    case 'text':
    case 'longtext':
      return typeof value === 'string' ? jsonProblem(value) : 'Must be text';
    case 'integer':
      return Number.isSafeInteger(value) ? null : 'Must be a whole number between -(2^53 - 1) and 2^53 - 1';
    case 'number':
      return typeof value === 'number' ? jsonProblem(value) : 'Must be a number';
    case 'boolean':
      return typeof value === 'boolean' ? null : 'Must be true or false';
    case 'date':
      return typeof value === 'string' && isDate(value) ? null : 'Must be a day of the calendar, such as 2030-01-31';
    case 'datetime':
      return typeof value === 'string' && isDateTime(value) ? null : 'Must be an instant with a time zone, such as 2030-01-31T09:30:00Z';
    case 'json':
      return jsonProblem(value);
    case 'enum': {
      const options = constraints?.options ?? [];
      return typeof value === 'string' && options.includes(value) ? null : `Must be one of: ${options.join(', ')}`;
    }
  }
};

/** Everything that is wrong with a value for a field; an empty list means nothing. */
export const valueProblems = (field: Field, value: unknown, patterns: Patterns): readonly string[] => {
  const ofType = typeProblem(field, value);
  if (ofType !== null) return [ofType];
  const { minLength, maxLength, min, max, pattern } = field.constraints ?? {};
  const problems: string[] = [];
  if (typeof value === 'number') {
    if (min !== undefined && value < min) problems.push(`Must be at least ${min}`);
    if (max !== undefined && value > max) problems.push(`Must be at most ${max}`);
  }
  if (typeof value === 'string') {
    const length = minLength === undefined && maxLength === undefined ? 0 : [...value].length;
    if (minLength !== undefined && length < minLength) problems.push(`Must have at least ${minLength} characters`);
    if (maxLength !== undefined && length > maxLength) problems.push(`Must have at most ${maxLength} characters`);
    if (pattern !== undefined) {
      if (value.length > MAX_MATCHED) problems.push(`Must have at most ${MAX_MATCHED} characters, because the field has a pattern`);
      else if (!patterns.matches(pattern, value)) problems.push(`Must match ${pattern}`);
    }
  }
  return problems;
};
