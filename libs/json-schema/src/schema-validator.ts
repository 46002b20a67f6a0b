import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { LRUCache } from 'lru-cache';
import { linearPattern, patternProblem } from './linear-patterns';
import { boundsProblem } from './schema-bounds';

export type ArgumentProblem = { readonly path: string; readonly message: string };
export type Checked = { readonly value: Readonly<Record<string, unknown>>; readonly problems: readonly ArgumentProblem[] };

/** Patterns run on a linear-time engine, so no schema can hang the service; what it cannot express does not compile. */
const linearTime = Object.assign(
  (pattern: string) => {
    const problem = patternProblem(pattern);
    if (problem !== null) throw new Error(`${pattern}: ${problem}`);
    return linearPattern(pattern);
  },
  { code: 'linearTime' },
);

const DIALECTS = [undefined, 'https://json-schema.org/draft/2020-12/schema', 'https://json-schema.org/draft/2020-12/schema#'];
const MAX_SCHEMA_BYTES = 65_536;

// Strict mode refuses unknown keywords and formats: what is ignored is not enforced.
const newAjv = () => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false, strictRequired: false, allErrors: false, useDefaults: true, code: { regExp: linearTime as never } });
  addFormats.default(ajv, ['date', 'date-time', 'time', 'email', 'uri', 'uuid', 'ipv4', 'ipv6', 'hostname']);
  return ajv;
};

const compiled = new LRUCache<string, ValidateFunction>({ max: 2_000 });

/** A schema with a name of its own gets an instance of its own: an `$id` of one tool can never answer a `$ref` of another. */
const NAMED = /"\$(?:id|anchor|dynamicAnchor|recursiveAnchor)"/;
/** An instance takes 28 ms to make and a schema 1.4 ms to compile on it; it keeps something of each, so it is replaced in time. */
const SHARED_BY = 500;
let common: { readonly ajv: Ajv2020; uses: number } | undefined;

const shared = (): Ajv2020 => {
  if (!common || common.uses >= SHARED_BY) common = { ajv: newAjv(), uses: 0 };
  common.uses++;
  return common.ajv;
};

const compile = (schema: Readonly<Record<string, unknown>>): ValidateFunction => {
  const key = JSON.stringify(schema);
  const known = compiled.get(key);
  if (known) return known;
  const ajv = NAMED.test(key) ? newAjv() : shared();
  const copy = structuredClone(schema);
  try {
    const validate = ajv.compile(copy);
    compiled.set(key, validate);
    return validate;
  } finally {
    ajv.removeSchema(copy);
  }
};

/** Why a tool's schema cannot be fully enforced, or undefined when it can. */
export const schemaProblem = (schema: Readonly<Record<string, unknown>>): string | undefined => {
  const costly = boundsProblem(schema);
  if (costly !== undefined) return costly;
  if (!DIALECTS.includes(schema['$schema'] as string | undefined)) return `The dialect ${String(schema['$schema'])} is not supported; use JSON Schema 2020-12`;
  if (JSON.stringify(schema).length > MAX_SCHEMA_BYTES) return `The schema is larger than ${MAX_SCHEMA_BYTES} bytes`;
  if (schema['type'] !== 'object') return 'The schema must describe an object (type: "object")';
  if (schema['$async'] !== undefined) return 'Asynchronous schemas are not supported';
  try {
    compile(schema);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
};

/** Arguments with the schema's defaults filled in, and where they break the schema. Types are never coerced. */
export const checkArguments = (schema: Readonly<Record<string, unknown>>, input: Readonly<Record<string, unknown>>): Checked => {
  const validate = compile(schema);
  const value = structuredClone(input);
  return validate(value) ? { value, problems: [] } : { value: input, problems: (validate.errors ?? []).map(problemOf) };
};

const problemOf = ({ instancePath, message = 'is not allowed', params, keyword }: ErrorObject): ArgumentProblem => ({
  path: keyword === 'required' ? `${instancePath}/${String((params as { missingProperty: string }).missingProperty)}` : keyword === 'additionalProperties' ? `${instancePath}/${String((params as { additionalProperty: string }).additionalProperty)}` : instancePath,
  message,
});
