import { isSchemaObject } from '@app/json-schema';
import { visibleText } from './visible-text.policy';

const MAX_DEPTH = 64;
const MAX_VALUES = 50_000;
const TEXT_KEYS = new Set(['title', 'description', '$comment']);

/** Nested or branched beyond what can be read; such a schema is not read at all. */
export class TooNested extends Error {}

/** Every text of a schema that a model would read, names of members included. */
export const textsIn = (schema: unknown): readonly string[] => {
  const texts: string[] = [];
  const waiting: [unknown, number][] = [[schema, 0]];
  let values = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [value, depth] = next;
    if (typeof value === 'string') texts.push(value);
    if (typeof value !== 'object' || value === null) continue;
    if (depth > MAX_DEPTH) throw new TooNested(`Its schema is nested more than ${MAX_DEPTH} levels deep`);
    for (const [key, inner] of Object.entries(value)) {
      if (++values > MAX_VALUES) throw new TooNested(`Its schema has more than ${MAX_VALUES} values`);
      if (!Array.isArray(value)) texts.push(key);
      waiting.push([inner, depth + 1]);
    }
  }
  return texts;
};

/** The same schema, with what is hidden taken out of its descriptions. What it accepts stays as it is. */
export const withVisibleText = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withVisibleText);
  if (!isSchemaObject(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, TEXT_KEYS.has(key) && typeof value === 'string' ? visibleText(value) : withVisibleText(value)]),
  );
};
