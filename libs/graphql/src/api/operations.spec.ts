import { describe, expect, it } from '@jest/globals';
import { resolve } from './json-schema';
import { operationsOf, type ApiDocument } from './operations';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const position = { type: 'string' };
const answering = (data: object, more: object = {}) => ({ responses: { 200: json({ type: 'object', properties: { data, position, ...more } }) } });
const list = answering({ type: 'array', items: { $ref: '#/components/schemas/Goal' } }, { nextCursor: {} });

describe('The reads and commands of a document', () => {
  const of = (paths: Record<string, object>) => operationsOf({ paths, components: { schemas: { Goal: { type: 'object' } } } } as unknown as ApiDocument);

  it('are pages, lists and records', () => {
    const operations = of({ '/goals': { get: list }, '/queues': { get: answering({ type: 'array', items: {} }) }, '/goals/{id}': { get: answering({ $ref: '#/components/schemas/Goal' }) } });
    expect(operations.map(({ path, answer: { kind } }) => [path, kind])).toEqual([['/goals', 'page'], ['/queues', 'all'], ['/goals/{id}', 'one']]);
  });

  it('keep what they ask of their caller', () => {
    const [operation] = of({ '/goals': { get: { ...list, 'x-required-capabilities': ['goals:read'], 'x-required-roles': ['admin'], 'x-run-token': true } } });
    expect(operation!.access).toEqual({ public: false, capabilities: ['goals:read'], roles: ['admin'], runToken: true });
  });

  it('are no streams, no texts and no public pages', () => {
    const stream = { responses: { 200: { content: { 'text/event-stream': { schema: { type: 'string' } } } } } };
    expect(of({ '/stream': { get: stream }, '/health': { get: { ...list, security: [] } }, '/other': { get: { responses: { 200: json({ type: 'object', properties: { data: {} } }) } } } })).toEqual([]);
  });
});

describe('A schema', () => {
  const components = { Goal: { type: 'object' }, Alias: { $ref: '#/components/schemas/Goal' }, __schema0: { anyOf: [{ type: 'string' }, { type: 'number' }] } };

  it.each([
    ['a reference', { $ref: '#/components/schemas/Goal' }, { schema: { type: 'object' }, name: 'Goal', nullable: false }],
    ['a reference or null', { anyOf: [{ $ref: '#/components/schemas/Alias' }, { type: 'null' }] }, { schema: { type: 'object' }, name: 'Goal', nullable: true }],
    ['two types, one of them null', { type: ['string', 'null'] }, { schema: { type: 'string' }, name: undefined, nullable: true }],
    ['a nameless component', { $ref: '#/components/schemas/__schema0' }, { schema: components.__schema0, name: undefined, nullable: false }],
  ])('is read through %s', (_what, schema, resolved) => {
    expect(resolve(schema, components)).toMatchObject(resolved);
  });
});
