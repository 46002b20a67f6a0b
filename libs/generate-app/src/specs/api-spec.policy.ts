import type { Field } from '@app/content/contract';
import type { ArtifactContent } from '@app/artifacts/contract';
import { rulingOn, type KnownCollection, type Operation, type SiteContext } from '../site-context/site-context.policy';

type Documented = Pick<KnownCollection, 'name' | 'description' | 'fields'>;
type Json = Readonly<Record<string, unknown>>;

/** An OpenAPI document of what this server offers for these collections. What policies forbid is not in it; what they ask a person about says so. */
export const apiSpec = (title: string, collections: readonly Documented[], context: Pick<SiteContext, 'rulings'>): ArtifactContent => {
  const paths = collections.map((collection) => pathsOf(collection, context));
  return {
    openapi: '3.1.0',
    info: { title, version: '1.0.0' },
    servers: [{ url: '/api/v1' }],
    security: [{ bearer: [] }],
    tags: collections.map(({ name, description }) => ({ name, ...(description !== null && { description }) })),
    paths: Object.fromEntries(paths.flatMap((each) => Object.entries(each))),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: Object.fromEntries(collections.map(({ name, fields }) => [name, schemaOf(fields)])),
      responses: { Problem: { description: 'Why it was refused', content: { 'application/problem+json': { schema: { type: 'object', properties: { code: { type: 'string' }, detail: { type: 'string' } } } } } } },
    },
  } as unknown as ArtifactContent;
};

const pathsOf = ({ name }: Documented, context: Pick<SiteContext, 'rulings'>): Json => {
  const reference = { $ref: `#/components/schemas/${name}` };
  const body = { required: true, content: { 'application/json': { schema: { type: 'object', required: ['data'], properties: { data: reference } } } } };
  const one = answer('The item', { type: 'object', properties: { id: { type: 'string' }, version: { type: 'integer' }, data: reference } });
  const operation = (kind: Operation, verb: string, more: Json): Json => {
    const ruling = rulingOn(context, name, kind);
    if (ruling?.effect === 'deny') return {};
    const governed = ruling === undefined || ruling.effect === 'allow' ? {} : { 'x-governance': { rule: ruling.rule, effect: ruling.effect } };
    return { [verb]: { operationId: `${kind}_${name}`, tags: [name], ...more, ...governed } };
  };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
  const all = {
    ...operation('list', 'get', { summary: `Lists ${name}`, responses: answers(answer('A page of items', { type: 'array', items: reference })) }),
    ...operation('create', 'post', { summary: `Creates one of ${name}`, requestBody: body, responses: answers(one, '201') }),
  };
  const single = {
    ...operation('get', 'get', { summary: `Reads one of ${name}`, responses: answers(one) }),
    ...operation('update', 'patch', { summary: `Changes one of ${name}`, requestBody: body, responses: answers(one) }),
    ...operation('delete', 'delete', { summary: `Deletes one of ${name}`, responses: answers({ description: 'It is gone' }) }),
  };
  return { ...(Object.keys(all).length > 0 && { [`/items/${name}`]: all }), ...(Object.keys(single).length > 0 && { [`/items/${name}/{id}`]: { parameters: [id], ...single } }) };
};

const answer = (description: string, data: Json): Json => ({ description, content: { 'application/json': { schema: { type: 'object', properties: { data, position: { type: 'string' } } } } } });
const answers = (fine: Json, status = '200'): Json => ({ [status]: fine, default: { $ref: '#/components/responses/Problem' } });

const schemaOf = (fields: readonly Field[]): Json => {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return { type: 'object', ...(required.length > 0 && { required }), properties: Object.fromEntries(fields.map((field) => [field.name, typeOf(field)])) };
};

const typeOf = ({ type, constraints = {} }: Field): Json => {
  const { minLength, maxLength, min, max, pattern, options } = constraints;
  const bounds = { ...(minLength !== undefined && { minLength }), ...(maxLength !== undefined && { maxLength }), ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }), ...(pattern !== undefined && { pattern }) };
  switch (type) {
    case 'text':
    case 'longtext':
      return { type: 'string', ...bounds };
    case 'integer':
    case 'number':
    case 'boolean':
      return { type, ...bounds };
    case 'date':
      return { type: 'string', format: 'date' };
    case 'datetime':
      return { type: 'string', format: 'date-time' };
    case 'json':
      return {};
    case 'enum':
      return { type: 'string', enum: options ?? [] };
  }
};
