import type { OpenAPIObject } from '@nestjs/swagger';
import { PROBLEM_CODES } from '@app/kernel';
import { CAPABILITIES_MARK, PUBLIC_MARK, ROLES_MARK } from '../access';
import { problemBody, type Problem } from '../problem';
import { addExamples, type Described } from './add-examples';
import { ExampleMaker } from './examples/example-maker';
import type { Schema } from './examples/fits';
import { NO_TEXTS, type ReferenceTexts } from './operation-texts';

type Operation = Record<string, unknown> & { operationId?: string; responses?: Record<string, unknown>; parameters?: unknown[]; description?: string };

const METHODS = ['get', 'put', 'post', 'delete', 'patch', 'head', 'options'] as const;

const header = (name: string, description: string, schema: object) => ({ name, in: 'header', required: false, description, schema });

const PARAMETERS = {
  SiteId: header('X-Site-Id', "One of the key's sites; its own when absent", { type: 'string' }),
  MinPosition: header('X-Min-Position', 'Waits up to 5 s until this log position can be read', { type: 'string', pattern: '^(0|[1-9][0-9]{0,18})$' }),
  IdempotencyKey: header('Idempotency-Key', 'Repeats of the request with this key get the first answer, for 24 h', { type: 'string', minLength: 1, maxLength: 255 }),
};

const PROBLEM = {
  type: 'object',
  description: 'RFC 9457 problem details',
  required: ['type', 'title', 'status', 'code', 'detail'],
  properties: {
    type: { type: 'string', format: 'uri-reference' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', enum: [...PROBLEM_CODES] },
    detail: { type: 'string' },
    facts: { type: 'object', additionalProperties: true },
  },
};

const problem = (description: string, example: Problem) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, example } },
});

const PROBLEM_RESPONSES = {
  Refusal: problem('Refused: `code` says what the caller can put right', problemBody(403, 'FORBIDDEN', 'There is no such record on this site, or you may not use it.')),
  Problem: problem('What went wrong', problemBody(503, 'UNAVAILABLE', 'The server cannot do this now. Try again.')),
};

const shared = (name: keyof typeof PARAMETERS) => ({ $ref: `#/components/parameters/${name}` });

/** Adds what holds for every operation: security, the problem answer, the headers every route takes, a tag, what it does, examples. Throws when two share an id. */
export const completed = (document: OpenAPIObject, tagOf: (path: string) => string, { operations: texts, areas, values }: ReferenceTexts = NO_TEXTS): OpenAPIObject => {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] as unknown as Operation }] : [])),
  );
  const ids = operations.map(({ operation }) => operation.operationId);
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) throw new Error(`Two operations are named ${twice}; rename one of the controller methods`);
  const { components = {}, ...rest } = document;
  const maker = new ExampleMaker((components.schemas ?? {}) as Record<string, Schema>, values);
  for (const { path, method, operation } of operations) {
    const text = texts[operation.operationId ?? ''];
    addExamples(operation as Described, maker, text);
    if (text) operation['summary'] = text.summary;
    complete(operation, method, tagOf(path));
  }
  return {
    ...rest,
    servers: [{ url: '/' }],
    tags: [...new Set(operations.flatMap(({ operation }) => operation['tags'] as string[]))].sort().map((name) => ({ name, ...(areas[name] !== undefined && { description: areas[name] }) })),
    security: [{ bearer: [] }, { apiKey: [] }],
    components: {
      ...components,
      schemas: { ...components.schemas, Problem: PROBLEM },
      responses: PROBLEM_RESPONSES,
      parameters: PARAMETERS,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' }, apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
    },
  } as OpenAPIObject;
};

const complete = (operation: Operation, method: string, tag: string) => {
  const isPublic = operation[PUBLIC_MARK] === true;
  delete operation[PUBLIC_MARK];
  operation['tags'] ??= [tag];
  operation.responses = { ...operation.responses, '4XX': { $ref: '#/components/responses/Refusal' }, default: { $ref: '#/components/responses/Problem' } };
  const needed = needs(operation);
  if (needed !== '') operation.description = [operation.description, needed].filter(Boolean).join('\n\n');
  if (operation.description === '') delete operation.description;
  if (isPublic) operation['security'] = [];
  else operation.parameters = [...(operation.parameters ?? []), shared('SiteId'), ...headersOf(method)];
};

const headersOf = (method: string) => {
  if (method === 'post') return [shared('IdempotencyKey')];
  return method === 'get' ? [shared('MinPosition')] : [];
};

const needs = (operation: Operation): string => {
  const capabilities = operation[CAPABILITIES_MARK] as string[] | undefined;
  const roles = operation[ROLES_MARK] as string[] | undefined;
  return [capabilities && `Needs the capability ${capabilities.join(' or ')}.`, roles && `Needs the role ${roles.join(' or ')}.`].filter(Boolean).join(' ');
};
