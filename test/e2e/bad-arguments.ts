import { checkArguments } from '@app/json-schema';
import fc from 'fast-check';
import type { Api, Body } from './server';

type Schema = Body;
type Path = readonly (string | number)[];
export const KINDS = ['too long', 'wrong type', 'hostile name', 'deep nesting', 'missing'] as const;
export type Bad = { readonly kind: (typeof KINDS)[number]; readonly at: string; /** JSON, because no object literal can hold some of the names. */ readonly json: string };

const MIB = 1_048_576;
/** Sent as text: parsed, it would not be what it is. */
const HOSTILE_KEYS = ['__proto__', 'constructor', 'toString', 'a\u0000b', 'nothingOfTheKind', '$ref', ''];
const HOSTILE_VALUES = ['__proto__', '../../etc/passwd', "x'; DROP TABLE es_event; --", '${jndi:ldap://x}', 'a\u0000b', '\ud800', '<script>', '\u202eabc', 'hk_', '*', ' '];
const nested = (levels: number): unknown => JSON.parse(`${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`);
/** Texts for the patterns that are hard to guess at random. */
const KNOWN = ['products', 'items:read', 'ada@example.com', 'de', '22:00', 'SiteCreated', '/data/title', 'Clerk', 'updateItem', '2999-01-01T00:00:00Z', '2999-01-01', 'https://example.com/x', '0'];

const resolve = (root: Schema, schema: Schema): Schema => (typeof schema?.$ref === 'string' ? resolve(root, root.$defs[schema.$ref.slice('#/$defs/'.length)]) : schema);
const chosen = (root: Schema, given: Schema): Schema => {
  const schema = resolve(root, given);
  const alternatives = schema.anyOf ?? schema.oneOf;
  return alternatives ? chosen(root, alternatives.find((one: Schema) => resolve(root, one).type !== 'null') ?? alternatives[0]) : schema;
};

const textOf = ({ pattern, format, minLength = 0 }: Schema): string => {
  if (pattern === undefined && format === undefined) return 'x'.repeat(Math.max(1, minLength));
  const fits = (text: string) => checkArguments({ type: 'object', properties: { a: { type: 'string', ...(pattern !== undefined && { pattern }), ...(format !== undefined && { format }) } } }, { a: text }).problems.length === 0;
  return KNOWN.find(fits) ?? fc.sample(fc.stringMatching(new RegExp(pattern as string)), { numRuns: 1, seed: 1 })[0]!;
};

/** A value that satisfies a schema: the first of what it allows, with every property there is. */
export const sampleOf = (root: Schema, given: Schema = root): unknown => {
  const schema = chosen(root, given);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case 'object':
      return schema.properties ? Object.fromEntries(Object.entries(schema.properties).map(([name, inner]) => [name, sampleOf(root, inner)])) : {};
    case 'array':
      return Array.from({ length: Math.max(1, schema.minItems ?? 0) }, () => sampleOf(root, schema.items ?? {}));
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return Math.max(1, schema.minimum ?? 1, (schema.exclusiveMinimum ?? 0) + 1);
    case 'boolean':
      return true;
    default:
      return 'x';
  }
};

const replaced = (value: unknown, path: Path, inner: unknown): unknown => {
  const [step, ...rest] = path;
  if (step === undefined) return inner;
  if (Array.isArray(value)) return value.map((one, index) => (index === step ? replaced(one, rest, inner) : (one as unknown)));
  return { ...(value as object), [step]: replaced((value as Body)[step], rest, inner) };
};
const without = (value: unknown, path: Path): unknown => {
  const place = path.slice(0, -1).reduce<Body>((at, step) => at[step], value);
  return replaced(value, path.slice(0, -1), Object.fromEntries(Object.entries(place as object).filter(([name]) => name !== path.at(-1))));
};
/** Written by hand: a name such as `__proto__` would set the prototype of an object instead. */
const withKey = (value: unknown, path: Path, key: string, inner: string): string => {
  const text = JSON.stringify(replaced(value, path, 'HERE'));
  const place = JSON.stringify(path.reduce<Body>((at, step) => at[step], value));
  return text.replace('"HERE"', () => `{${JSON.stringify(key)}:${inner}${place === '{}' ? '' : ','}${place.slice(1)}`);
};

/** Everything that is wrong with arguments in one place, place by place: whatever the schema allows is not among it. */
export const badArguments = (root: Schema): readonly Bad[] => {
  const sample = sampleOf(root);
  const found: Bad[] = [];
  const put = (kind: Bad['kind'], path: Path, json: string) => found.push({ kind, at: path.join('/'), json });
  /** Kept when the schema refuses it, or when nobody could have been meant to send it. */
  const tryOut = (kind: Bad['kind'], path: Path, inner: unknown, surely = false) => {
    const input = replaced(sample, path, inner) as Body;
    if (surely || typeof input !== 'object' || input === null || Array.isArray(input) || checkArguments(root, input).problems.length > 0) put(kind, path, JSON.stringify(input));
  };
  const walk = (given: Schema, path: Path) => {
    const schema = chosen(root, given);
    for (const wrong of [7.5, 'x', '3', true, null, [], {}, [[]]]) tryOut('wrong type', path, wrong);
    tryOut('deep nesting', path, nested(70), true);
    tryOut('deep nesting', path, nested(10));
    if (schema.type === 'object') {
      for (const key of HOSTILE_KEYS) {
        // A record takes any name that is none of a prototype; an object takes those that it knows.
        if (schema.properties || ['__proto__', 'constructor', 'a\u0000b'].includes(key)) put('hostile name', [...path, key], withKey(sample, path, key, '{"polluted":true}'));
      }
      for (const name of (schema.required ?? []) as string[]) put('missing', [...path, name], JSON.stringify(without(sample, [...path, name])));
      for (const [name, inner] of Object.entries(schema.properties ?? {})) walk(inner, [...path, name]);
    }
    if (schema.type === 'array') {
      if (schema.maxItems !== undefined) tryOut('too long', path, Array.from({ length: schema.maxItems + 1 }, () => sampleOf(root, schema.items ?? {})));
      walk(schema.items ?? {}, [...path, 0]);
    }
    if (schema.type === 'string') {
      const bounded = schema.maxLength !== undefined || [schema.pattern, schema.format, schema.enum, schema.const].some((one) => one !== undefined);
      tryOut('too long', path, (schema.enum?.[0] ?? textOf(schema)) + 'x'.repeat(bounded ? (schema.maxLength ?? 5_000) : MIB), !bounded);
      for (const text of HOSTILE_VALUES) tryOut('hostile name', path, text, text.includes('\u0000') || !text.isWellFormed());
    }
    if (schema.type === 'integer' || schema.type === 'number') for (const number of [-1e15, 9e15, 0.5]) tryOut('wrong type', path, number);
  };
  for (const root of [[], 'x', 7, null, true]) put('wrong type', [], JSON.stringify(root));
  walk(root, []);
  return found;
};

/** As many of each kind, from all places. */
export const spread = (all: readonly Bad[], ofEach: number): readonly Bad[] =>
  KINDS.flatMap((kind) => {
    const some = all.filter((one) => one.kind === kind);
    return Array.from({ length: Math.min(ofEach, some.length) }, (_, nr) => some[Math.floor((nr * some.length) / ofEach)]!);
  });

const REFUSALS = ['200 denied invalid_arguments', '422 VALIDATION_FAILED', '413 PAYLOAD_TOO_LARGE'];

/** Sends every call on one of the runs, and tells of those that were not refused with a stable code. */
export const notRefused = async (by: Api, runs: readonly string[], calls: readonly (Bad & { readonly name: string })[]): Promise<readonly string[]> => {
  const told: string[] = [];
  const queue = calls.values();
  await Promise.all(runs.map(async (run) => {
    for (const { name, kind, at, json } of queue) {
      const { status, body } = await by('POST', `agent/runs/${run}/tool-calls`, `{"tool":${JSON.stringify(name)},"arguments":${json}}`);
      const said = `${status} ${status === 200 ? `${body.data.status} ${body.data.reason}` : body.code}`;
      if (!REFUSALS.includes(said)) told.push(`${name}: ${kind} at /${at} ▶ ${said} ${json.slice(0, 200)}`);
    }
  }));
  return told;
};
