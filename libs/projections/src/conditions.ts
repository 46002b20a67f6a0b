import type { Condition } from './read-models';

/** Conditions for the fields that were given; absent ones do not filter. */
export const equalTo = (fields: Readonly<Record<string, unknown>>): readonly Condition[] =>
  Object.entries(fields).flatMap(([path, value]) => (value === undefined ? [] : [{ path, is: 'eq' as const, value }]));
