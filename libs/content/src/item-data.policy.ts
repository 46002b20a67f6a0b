import { valueProblems } from './field-value.policy';
import type { Patterns } from './field.policy';
import type { Field } from './field.schema';
import type { ItemData } from './item.events';
import { token, type Problem } from './problem.policy';

/** Items are folded in memory and sent as one body. Characters of JSON; a request's body is not larger either. */
const MAX_ITEM_CHARACTERS = 1_000_000;

type Values = Readonly<Record<string, unknown>>;

/** What is wrong with the data of a new item. Null is the same as leaving the field out. */
export const newItemProblems = (fields: readonly Field[], data: Values, patterns: Patterns): readonly Problem[] =>
  orTooLarge([...unknownFields(fields, data), ...fields.flatMap((field) => problemsOf(field, data, patterns))], data);

/**
 * What is wrong with a patch. Only touched fields are looked at: a field that became required later must not lock the items that were made
 * before it, but no patch takes a required value away.
 */
export const patchProblems = (fields: readonly Field[], before: ItemData, patch: Values, patterns: Patterns): readonly Problem[] => {
  const touched = fields.filter(({ name }) => Object.hasOwn(patch, name));
  return orTooLarge([...unknownFields(fields, patch), ...touched.flatMap((field) => problemsOf(field, patch, patterns))], {
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
