import type { Field, Relation } from '@app/content/contract';

/** A value that a field takes, the same for the same number; undefined when none can be made up. */
export const sampleValue = ({ name, type, constraints = {} }: Field, nr: number): unknown => {
  const { minLength = 0, maxLength = 1_000, min, max, pattern, options = [] } = constraints;
  switch (type) {
    case 'text':
    case 'longtext': {
      if (pattern !== undefined) return undefined;
      const words = `${name} ${nr + 1}`;
      return words.slice(0, maxLength).padEnd(minLength, '.');
    }
    case 'integer': {
      const value = Math.min(Math.max(nr + 1, Math.ceil(min ?? nr + 1)), Math.floor(max ?? Number.MAX_SAFE_INTEGER));
      return value >= (min ?? value) && Number.isSafeInteger(value) ? value : undefined;
    }
    case 'number':
      return Math.min(Math.max(nr + 1, min ?? nr + 1), max ?? Number.MAX_VALUE);
    case 'boolean':
      return nr % 2 === 0;
    case 'date':
      return `2026-01-${String((nr % 28) + 1).padStart(2, '0')}`;
    case 'datetime':
      return `2026-01-${String((nr % 28) + 1).padStart(2, '0')}T10:00:00.000Z`;
    case 'json':
      return {};
    case 'enum':
      return options[nr % options.length];
  }
};

/** Whether a value that was thought of elsewhere is one that the field takes. */
export const takes = ({ type, constraints = {} }: Field, value: unknown): boolean => {
  const { minLength = 0, maxLength = Infinity, min = -Infinity, max = Infinity, pattern, options = [] } = constraints;
  switch (type) {
    case 'text':
    case 'longtext':
      return typeof value === 'string' && pattern === undefined && [...value].length >= minLength && [...value].length <= maxLength;
    case 'integer':
      return Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
    case 'number':
      return typeof value === 'number' && value >= min && value <= max;
    case 'boolean':
      return typeof value === 'boolean';
    case 'date':
      return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
    case 'datetime':
      return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value);
    case 'json':
      return value !== undefined;
    case 'enum':
      return typeof value === 'string' && options.includes(value);
  }
};

/**
 * An item that a collection takes: the values that were thought of where its fields take them, made up ones where it asks for one. Undefined when a
 * required value cannot be made up: one with a pattern, or the id of an item of another collection.
 */
export const sampleItem = (fields: readonly Field[], relations: readonly Relation[], collection: string, thought: Readonly<Record<string, unknown>>, nr: number): Record<string, unknown> | undefined => {
  const item: Record<string, unknown> = {};
  for (const field of fields) {
    const isReference = relations.some((relation) => relation.from === collection && relation.field === field.name);
    const given = Object.hasOwn(thought, field.name) ? thought[field.name] : undefined;
    const value = isReference ? undefined : given !== undefined && takes(field, given) ? given : field.required ? sampleValue(field, nr) : undefined;
    if (value !== undefined) item[field.name] = value;
    else if (field.required) return undefined;
  }
  return item;
};
