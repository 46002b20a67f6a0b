import type { Json } from './example-values';

/** The parts of JSON Schema that the document uses and that an example has to obey. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: Json;
  readonly enum?: readonly Json[];
  readonly examples?: readonly Json[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
};

export const typesOf = ({ type }: Schema): readonly string[] => (type === undefined ? [] : typeof type === 'string' ? [type] : type);

const typeOf = (value: Json): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
};

/** Whether a value may stand where the schema is. Stricter than the standard: fields that a schema does not know are refused, for they would explain nothing. */
export const fits = (schema: Schema, value: Json, resolve: (schema: Schema) => Schema): boolean => {
  const { const: only, enum: words, anyOf, oneOf, allOf, ...own } = resolve(schema);
  const type = typeOf(value);
  const types = typesOf(own);
  if (types.length > 0 && !types.includes(type) && !(type === 'integer' && types.includes('number'))) return false;
  if (only !== undefined && only !== value) return false;
  if (words !== undefined && !words.includes(value)) return false;
  if (typeof value === 'string' && !fitsText(own, value)) return false;
  if (typeof value === 'number' && !fitsNumber(own, value)) return false;
  if (Array.isArray(value) && own.items && !value.every((one: Json) => fits(own.items!, one, resolve))) return false;
  if (isFields(value) && !fitsFields(own, value, resolve)) return false;
  const either = anyOf ?? oneOf;
  if (either !== undefined && !either.some((one) => fits(one, value, resolve))) return false;
  return allOf?.every((one) => fits(one, value, resolve)) ?? true;
};

type Fields = { readonly [name: string]: Json };
const isFields = (value: Json): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

const fitsFields = ({ properties, required = [], additionalProperties = properties === undefined }: Schema, value: Fields, resolve: (schema: Schema) => Schema): boolean =>
  required.every((name) => Object.hasOwn(value, name)) &&
  Object.entries(value).every(([name, one]) => {
    const schema = properties?.[name] ?? additionalProperties;
    return typeof schema === 'boolean' ? schema : fits(schema, one, resolve);
  });

const fitsText = ({ pattern, minLength = 0, maxLength = Infinity, format }: Schema, text: string): boolean =>
  text.length >= minLength && text.length <= maxLength && (pattern === undefined || new RegExp(pattern, 'u').test(text)) && (format !== 'date-time' || !Number.isNaN(Date.parse(text)));

const fitsNumber = ({ minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity }: Schema, value: number): boolean =>
  value >= minimum && value <= maximum && value > exclusiveMinimum && value < exclusiveMaximum;
