import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Body, Controller, Delete, Get, Module, Param, Post, Put, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Public, RequireCapability, RequireRole } from '../access';
import { fastifyAdapter } from '../configure';
import { booleanParam, ListQuery, ReadQuery, sortParam } from '../query-params';
import { KnownKeys, startHttp, type RunningHttp } from '../testing';
import { ApiAlsoAnswers, ApiAnswer, ApiEventStream, ApiList } from './decorators';
import { openApi } from './open-api';

const Owner = z.object({ id: z.string(), kind: z.enum(['human', 'agent']) }).meta({ id: 'Owner' });
const Node: z.ZodType = z.object({ name: z.string(), get children() { return z.array(Node); } }).meta({ id: 'Node' });
const Order = z.object({ id: z.string(), owner: Owner, tree: Node, at: z.iso.datetime(), notes: z.record(z.string(), z.unknown()).optional() }).meta({ id: 'Order' });
const NewOrder = z.strictObject({ item: z.string().min(1), count: z.int().default(1), owner: Owner.optional() }).meta({ id: 'NewOrder' });

@Controller('agent/orders')
class OrdersController {
  @Get() @ApiList(Order) list(@Query({ schema: ListQuery.extend({ open: booleanParam.optional(), sort: sortParam('at', 'item') }) }) _query: unknown) {}
  @Post() @ApiAnswer(Order, { status: 201 }) @ApiAlsoAnswers(202, z.object({ id: z.string() }), 'Queued') create(@Body({ schema: NewOrder }) _body: unknown) {}
  @Get(':id') @ApiAnswer(Order) read(@Param('id', { schema: z.string().max(64) }) _id: string, @Query({ schema: ReadQuery }) _query: unknown) {}
  @Put(':id') @ApiAnswer(Order) @RequireCapability('orders:update') replace(@Param('id') _id: string, @Body({ schema: NewOrder }) _body: unknown) {}
  @Delete(':id') @ApiAnswer(z.object({})) @RequireRole('admin') remove(@Param('id') _id: string) {}
  @Get(':id/stream') @ApiEventStream() stream(@Param('id') _id: string) {}
}

@Public()
@Controller('health/ready')
class ReadyController {
  @Get() @ApiAnswer(z.object({ ready: z.boolean() })) read() {}
}

const twin = (path: string) => {
  @Controller(path)
  class TwinController {
    @Get() read() {}
  }
  return TwinController;
};

type Json = { readonly [key: string]: Json };

const refsIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, field]) => (key === '$ref' ? [String(field)] : refsIn(field))) : [];

const keysIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.entries(value).flatMap(([key, field]) => [key, ...keysIn(field)]) : [];

describe('The OpenAPI document', () => {
  let http: RunningHttp;
  let api: Json;
  const at = (pointer: string) => pointer.slice(2).split('/').reduce<Json | undefined>((value, step) => value?.[step.replaceAll('~1', '/')], api);
  const operations = () => Object.entries(api['paths']!).flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method, operation })));

  beforeAll(async () => {
    http = await startHttp({ controllers: [OrdersController, ReadyController] },
      { authenticator: new KnownKeys({}), title: 'Probe', version: '1.2.3', groups: ['agent'], unprefixed: ['health/ready'] });
    api = (await (await http.request('/openapi.json')).json()) as Json;
  });
  afterAll(() => http.close());

  it('is OpenAPI 3.1 and covers every route', () => {
    expect(api).toMatchObject({ openapi: '3.1.0', info: { title: 'Probe', version: '1.2.3' } });
    expect(operations().map(({ path, method }) => `${method} ${path}`).sort()).toEqual([
      'delete /api/v1/agent/orders/{id}', 'get /api/v1/agent/orders', 'get /api/v1/agent/orders/{id}', 'get /api/v1/agent/orders/{id}/stream', 'get /health/ready',
      'post /api/v1/agent/orders', 'put /api/v1/agent/orders/{id}',
    ]);
  });

  it('holds no reference that leads nowhere, and no definition outside its components', () => {
    expect(refsIn(api).length).toBeGreaterThan(10);
    for (const ref of refsIn(api)) expect([ref, typeof at(ref)]).toEqual([ref, 'object']);
    expect(keysIn(api).filter((key) => ['$defs', '$schema', 'nullable', 'x-public'].includes(key))).toEqual([]);
  });

  it('gives every operation an id of its own, answers, a tag and path parameters that match its path', () => {
    const ids = operations().map(({ operation }) => String(operation['operationId']));
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain('ordersCreate');
    for (const { path, operation } of operations()) {
      expect(Object.keys(operation['responses']!)).toEqual(expect.arrayContaining(['default']));
      expect(Object.keys(operation['responses']!).some((status) => /^2\d\d$/.test(status))).toBe(true);
      expect(operation['tags']).toEqual([path.startsWith('/health') ? 'health' : 'orders']);
      const parameters = ((operation['parameters'] ?? []) as unknown as Json[]).map((parameter) => (parameter['$ref'] ? at(String(parameter['$ref']))! : parameter));
      for (const parameter of parameters) expect(parameter).toMatchObject({ name: expect.any(String), in: expect.stringMatching(/^(path|query|header)$/), schema: expect.any(Object) });
      const inPath = parameters.filter((parameter) => String(parameter['in']) === 'path').map(({ name }) => `{${String(name)}}`);
      expect(inPath.sort()).toEqual((path.match(/\{[^}]+\}/g) ?? []).sort());
      const names = parameters.map((parameter) => `${String(parameter['in'])} ${String(parameter['name'])}`);
      expect(new Set(names).size).toBe(names.length);
    }
  });

  it('describes answers with data and position, and failures as problems', () => {
    const schemaOf = (path: string, method: string, status: string) =>
      (api['paths']![path]![method]!['responses']![status]! as unknown as { content: Record<string, { schema: unknown }> }).content['application/json']!.schema;
    expect(schemaOf('/api/v1/agent/orders', 'post', '201')).toMatchObject({
      type: 'object', required: ['data', 'position'], properties: { data: { $ref: '#/components/schemas/Order' }, position: { type: 'string' } },
    });
    expect(schemaOf('/api/v1/agent/orders', 'post', '202')).toMatchObject({ properties: { data: { properties: { id: { type: 'string' } } } } });
    expect(schemaOf('/api/v1/agent/orders', 'get', '200')).toMatchObject({
      required: ['data', 'nextCursor', 'position'], properties: { data: { type: 'array', items: { $ref: '#/components/schemas/Order' } } },
    });
    expect(at('#/components/responses/Problem')).toMatchObject({ content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } } });
    expect(at('#/components/schemas/Problem')).toMatchObject({ required: ['type', 'title', 'status', 'code', 'detail'] });
  });

  it('describes input as it is sent: text parameters by what they mean, defaults as optional', () => {
    const parameters = api['paths']!['/api/v1/agent/orders']!['get']!['parameters'] as unknown as { name?: string; required?: boolean; schema: object }[];
    const named = (name: string) => parameters.find((parameter) => parameter.name === name);
    expect(named('limit')).toMatchObject({ required: false, schema: { type: 'integer', minimum: 1, maximum: 200, default: 50 } });
    expect(named('open')).toMatchObject({ required: false, schema: { type: 'boolean' } });
    expect(named('sort')).toMatchObject({ schema: { enum: ['at', '-at', 'item', '-item'] } });
    const body = api['paths']!['/api/v1/agent/orders']!['post']!['requestBody'] as unknown as { content: Record<string, { schema: { $ref: string } }> };
    expect(at(body.content['application/json']!.schema.$ref)).toMatchObject({ required: ['item'], additionalProperties: false });
  });

  it('names what each operation needs', () => {
    const of = (path: string, method: string) => api['paths']![path]![method]!;
    expect(api).toMatchObject({ security: [{ bearer: [] }, { apiKey: [] }], components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } } });
    expect(of('/health/ready', 'get')).toMatchObject({ security: [] });
    expect(of('/api/v1/agent/orders', 'get')['security']).toBeUndefined();
    expect(of('/api/v1/agent/orders/{id}', 'put')).toMatchObject({ 'x-required-capabilities': ['orders:update'], description: 'Needs the capability orders:update.' });
    expect(of('/api/v1/agent/orders/{id}', 'delete')).toMatchObject({ 'x-required-roles': ['admin'] });
    expect(refsIn(of('/api/v1/agent/orders', 'post')['parameters'])).toContain('#/components/parameters/IdempotencyKey');
  });

  it('refuses two operations of one name', async () => {
    @Module({ controllers: [twin('a'), twin('b')] })
    class Twins {}
    const app = await NestFactory.create<NestFastifyApplication>(Twins, fastifyAdapter(), { logger: false });
    await app.init();
    expect(() => openApi(app, { title: 't', version: '1' })).toThrow('Two operations are named twinRead');
    await app.close();
  });

  it('is shown by a page that loads and runs nothing foreign', async () => {
    const answer = await http.request('/docs');
    const page = await answer.text();
    const policy = answer.headers.get('content-security-policy')!;
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    for (const [, element, text] of page.matchAll(/<(script|style)>(.*?)<\/\1>/gs))
      expect(policy).toContain(`${element}-src 'sha256-${createHash('sha256').update(text!).digest('base64')}'`);
    expect(policy).not.toMatch(/unsafe|\*/);
    expect(page).not.toMatch(/https?:\/\/|\ssrc=|\sstyle=|\son[a-z]+=/);
    expect(page).toMatch(/<html lang="en">.*<title>.*<label for="filter">.*<main/s);
  });
});
