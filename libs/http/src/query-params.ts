import { z } from 'zod';

/** Parameters are text. Each helper says which text it takes; nothing is coerced. */
export const MAX_LIMIT = 200;
const DEFAULT_LIMIT = 50;
const MAX_POSITION = 2n ** 63n - 1n;

const positionText = (text: string) => /^(0|[1-9]\d{0,18})$/.test(text) && BigInt(text) <= MAX_POSITION;
const limitText = (text: string) => /^[1-9]\d{0,2}$/.test(text) && Number(text) <= MAX_LIMIT;

/** Page size, 1 to 200; 50 when absent. */
export const limitParam = z
  .string()
  .refine(limitText, `A whole number from 1 to ${MAX_LIMIT}`)
  .meta({ type: 'integer', minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  .transform(Number)
  .default(DEFAULT_LIMIT);

/** Where the next page begins: `nextCursor` of the page before. */
export const cursorParam = z.string().min(1).max(1024).describe('nextCursor of the page before').optional();

/** A log position as text, read as bigint. */
export const positionParam = z.string().refine(positionText, 'A log position: digits only').meta({ pattern: '^(0|[1-9][0-9]{0,18})$' }).transform(BigInt);

/** The words `true` and `false`; nothing else. */
export const booleanParam = z.enum(['true', 'false']).meta({ type: 'boolean', enum: [true, false] }).transform((text) => text === 'true');

/** An instant in ISO 8601 with a zone. */
export const instantParam = z.iso.datetime({ offset: true });

export type Sort<Field extends string = string> = { readonly field: Field; readonly direction: 'asc' | 'desc' };

/** `field` sorts upwards, `-field` downwards; only the named fields are taken. */
export const sortParam = <const Field extends string>(...fields: readonly [Field, ...Field[]]) =>
  z
    .enum(fields.flatMap((field) => [field, `-${field}` as const]) as [Field | `-${Field}`])
    .transform((text): Sort<Field> => ({ field: text.replace(/^-/, '') as Field, direction: text.startsWith('-') ? 'desc' : 'asc' }))
    .optional();

/** What every read takes. Unknown parameters are refused. */
export const ReadQuery = z.strictObject({ minPosition: positionParam.optional() });

/** What every list takes; a list adds its filters and sort fields with `.extend({ … })`. Ids are time-ordered, so `id` sorts by age. */
export const ListQuery = ReadQuery.extend({ limit: limitParam, cursor: cursorParam, sort: sortParam('id') });
