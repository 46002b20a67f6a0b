import type { Access } from '@app/http';
import { resolve, type Components, type JsonSchema } from './json-schema';

/** The part of the OpenAPI document that this library reads. */
export type ApiDocument = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components?: { readonly schemas?: object };
};

export type Parameter = { readonly name: string; readonly in: 'path' | 'query'; readonly required: boolean; readonly description?: string; readonly schema: JsonSchema };

/** `page`: with a cursor. `all`: everything at once, as a list. `one`: a record or a value. `data` is what one item or the record looks like. */
export type Answer = { readonly kind: 'page' | 'all' | 'one'; readonly data: JsonSchema };

/** One route of the API that answers `{data, position}`. */
export type Operation = {
  readonly method: string;
  readonly path: string;
  readonly description: string | undefined;
  readonly parameters: readonly Parameter[];
  readonly body: JsonSchema | undefined;
  readonly answer: Answer;
  readonly access: Access;
};

type Content = { readonly content?: Readonly<Record<string, { readonly schema?: JsonSchema }>> };
type Described = {
  readonly description?: string;
  readonly summary?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content>>;
  readonly 'x-required-capabilities'?: readonly string[];
  readonly 'x-required-roles'?: Access['roles'];
  readonly 'x-run-token'?: Access['runToken'];
};

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

export const componentsOf = ({ components }: ApiDocument): Components => (components?.schemas ?? {}) as Components;

/** Every route with an answer in the product's form, for callers with a key. Streams, texts and public pages are none of them. */
export const operationsOf = (document: ApiDocument): readonly Operation[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] === undefined ? [] : operationOf(method, path, item[method] as Described, componentsOf(document)) ?? [])),
  );

const operationOf = (method: string, path: string, described: Described, components: Components): Operation | undefined => {
  const answer = answerOf(described, components);
  if (answer === undefined || described.security?.length === 0) return undefined;
  return {
    method: method.toUpperCase(),
    path,
    description: [described.summary, described.description].filter(Boolean).join('\n\n') || undefined,
    parameters: (described.parameters ?? []).filter((one): one is Parameter => 'in' in one && (one.in === 'path' || one.in === 'query')),
    body: described.requestBody?.content?.['application/json']?.schema,
    answer,
    access: { public: false, capabilities: described['x-required-capabilities'] ?? [], roles: described['x-required-roles'] ?? [], runToken: described['x-run-token'] ?? false },
  };
};

const answerOf = ({ responses = {} }: Described, components: Components): Answer | undefined => {
  const status = Object.keys(responses).filter((one) => /^2\d\d$/.test(one)).sort()[0];
  const whole = status === undefined ? undefined : responses[status]?.content?.['application/json']?.schema;
  const properties = whole && resolve(whole, components).schema.properties;
  if (properties?.['data'] === undefined || properties['position'] === undefined) return undefined;
  const { schema } = resolve(properties['data'], components);
  if (schema.type !== 'array') return { kind: 'one', data: properties['data'] };
  return { kind: properties['nextCursor'] === undefined ? 'all' : 'page', data: schema.items ?? {} };
};
