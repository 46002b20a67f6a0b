import { valueProblems } from './field-value.policy';
import type { Patterns } from './field.policy';
import type { Field } from './field.schema';
import type { ItemData } from './item.events';
import { token, type Problem } from './problem.policy';

/** Items are folded in memory and sent as one body. Characters of JSON; a request's body is not larger either. */
const MAX_ITEM_CHARACTERS = 1_000_000;

/**
 * Matching is linear, but everybody waits for it: 10 000 characters against the largest pattern take about 90 ms. So what is matched at once is bounded
 * over all fields of an item, and over all items of a batch.
 */
const MAX_MATCHED_OF_ITEM = 20_000;
export const MAX_MATCHED_OF_BATCH = 100_000;

type Values = Readonly<Record<string, unknown>>;

/** Characters of the values that are matched against a pattern. */
export const matchedCharacters = (fields: readonly Field[], data: Values): number =>
  fields.reduce((sum, { name, constraints }) => {
    const value = constraints?.pattern === undefined || !Object.hasOwn(data, name) ? undefined : data[name];
    return sum + (typeof value === 'string' ? value.length : 0);
  }, 0);

const tooMuchToMatch = (fields: readonly Field[], data: Values): readonly Problem[] =>
  matchedCharacters(fields, data) > MAX_MATCHED_OF_ITEM ? [{ pointer: '/data', detail: `Fields with a pattern hold at most ${MAX_MATCHED_OF_ITEM} characters altogether` }] : [];

/** What is wrong with the values of fields, unless there is too much to match even to look. */
const fieldProblems = (fields: readonly Field[], data: Values, patterns: Patterns): readonly Problem[] => {
  const tooMuch = tooMuchToMatch(fields, data);
  return tooMuch.length > 0 ? tooMuch : fields.flatMap((field) => problemsOf(field, data, patterns));
};

/** What is wrong with the data of a new item. Null is the same as leaving the field out. */
export const newItemProblems = (fields: readonly Field[], data: Values, patterns: Patterns): readonly Problem[] =>
  orTooLarge([...unknownFields(fields, data), ...fieldProblems(fields, data, patterns)], data);

/**
 * What is wrong with a patch. Only touched fields are looked at: a field that became required later must not lock the items that were made
 * before it, but no patch takes a required value away.
 */
export const patchProblems = (fields: readonly Field[], before: ItemData, patch: Values, patterns: Patterns): readonly Problem[] => {
  const touched = fields.filter(({ name }) => Object.hasOwn(patch, name));
  return orTooLarge([...unknownFields(fields, patch), ...fieldProblems(touched, patch, patterns)], {
    ...before,
    ...patch,
  });
};

const pointerTo = (name: string) => `/data/${token(name)}`;

const unknownFields = (fields: readonly Field[], data: Values): readonly Problem[] => {
  const known = new Set(fields.map(({ name }) => name));
  return Object.keys(data)
    .filter((name) => !known.has(name))
    .map((name) => ({ pointer: pointerTo(name), detail: 'The collection has no such field' }));
};

const problemsOf = (field: Field, data: Values, patterns: Patterns): readonly Problem[] => {
  const pointer = pointerTo(field.name);
  const value = Object.hasOwn(data, field.name) ? (data[field.name] ?? null) : null;
  if (value === null) return field.required ? [{ pointer, detail: 'Must have a value' }] : [];
  return valueProblems(field, value, patterns).map((detail) => ({ pointer, detail }));
};

/** Measured last: only checked data is known to be shallow enough to be written as JSON. */
const orTooLarge = (problems: readonly Problem[], data: Values): readonly Problem[] =>
  problems.length === 0 && JSON.stringify(data).length > MAX_ITEM_CHARACTERS
    ? [{ pointer: '/data', detail: `An item has at most ${MAX_ITEM_CHARACTERS} characters of JSON` }]
    : problems;
