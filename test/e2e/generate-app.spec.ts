import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testServer, type Answer, type Api, type Body, type TestServer } from './server';

const PARTS = ['page_spec', 'component_spec', 'seed_data', 'api_spec'];
const partOf = (app: Body, type: string): Body => (app.artifacts as Body[]).find((each) => each.type === type);

describe('Generate app', () => {
  let server: TestServer;
  let admin: Api;
  beforeAll(async () => {
    server = await testServer();
    ({ admin } = server);
  });
  afterAll(() => server.close());

  const generate = (body: object = {}, as: Api = admin): Promise<Answer> => as('POST', 'agent/generate-app', { template: 'ecommerce', ...body });
  const generated = async (body: object = {}, as: Api = admin): Promise<Body> => {
    const answer = await generate(body, as);
    expect([answer.status, answer.body.detail]).toEqual([201, undefined]);
    return answer.body.data;
  };
  const newSite = async (): Promise<Api> => server.as((await admin('POST', 'sites', { name: 'Fresh' })).body.data.adminKey as string);
  /** Everything but artifacts, and what runs keep of them. */
  const contentEvents = async () => (await server.log()).filter(({ stream_id }: Body) => /^(?:item|collection)-/.test(stream_id as string)).length;

  it('[ARTIFACT-023] [ARTIFACT-024] [ARTIFACT-029] creates exactly four artifacts, evaluated, and changes no collection and no item', async () => {
    const before = await contentEvents();
    const { artifacts, runId, goalId, writer, model } = await generated();
    expect((artifacts as Body[]).map(({ type, status }) => [type, status])).toEqual(PARTS.map((type) => [type, 'draft']));
    expect([writer, model]).toEqual(['template', null]);
    const listed = (await admin('GET', `agent/artifacts?runId=${runId as string}`, undefined, { 'x-min-position': String(await server.head()) })).body.data as Body[];
    expect(listed.map(({ type }) => type as string).toSorted()).toEqual(PARTS.toSorted());
    for (const { id, type, evaluations } of artifacts as Body[]) {
      const checks = ['json_schema', ...(type === 'api_spec' ? ['api_spec'] : []), 'permission_diff', 'prompt_safety'];
      expect([type, (evaluations as Body[]).map((each) => [each.type, each.status, each.detail])]).toEqual([type, checks.map((check) => [check, 'passed', null])]);
      expect((await admin('GET', `agent/artifacts/${id as string}/evaluations`)).body.data).toEqual(evaluations);
    }
    expect(await contentEvents()).toBe(before);
    expect((await admin('GET', `agent/runs/${runId as string}`)).body.data).toMatchObject({ goalId, status: 'succeeded', toolCalls: [] });
  });

  it('[ARTIFACT-025] reads schema, content, policies and scoped memory, and reflects them', async () => {
    await admin('POST', 'collections', { name: 'articles', fields: [{ name: 'headline', type: 'text' }] });
    const rules = [{ name: 'keep-orders', when: { tool: 'deleteItem', arguments: [{ path: '/collection', eq: 'orders' }] }, then: { do: 'deny' } }, { name: 'look-at-products', when: { tool: 'updateItem', arguments: [{ path: '/collection', eq: 'products' }] }, then: { do: 'ask' } }];
    expect((await admin('PUT', 'agent/policies', { rules })).status).toBe(200);
    const stored = await admin('POST', 'agent/memory', { content: 'The shop speaks to gardeners, in a calm voice.', scope: {}, confidence: 0.9 });
    expect([stored.status, stored.body.detail]).toEqual([201, undefined]);
    await admin('POST', 'agent/memory', { content: 'Only for Writers.', scope: { role: 'Writer' }, confidence: 0.9 });
    const products = (await admin('GET', 'collections/products')).body.data;
    const items = (await admin('GET', 'items/products?sort=id')).body.data as Body[];

    const app = await generated({ name: 'Green shop' });
    expect(app.context).toEqual({ collections: ['articles', 'products'], policies: ['keep-orders', 'look-at-products'], memories: [stored.body.data.id], withheld: [] });
    const [pages, components, seeds, api] = PARTS.map((type) => partOf(app, type).content as Body);
    expect(pages.pages).toContainEqual(expect.objectContaining({ path: '/articles', collection: 'articles', shows: ['headline'] }));
    expect(pages.pages[0].featured).toEqual(items.slice(0, 3).map(({ id, data }) => ({ id, title: data.title })));
    expect(pages.policies).toEqual(expect.arrayContaining([{ collection: 'orders', operation: 'delete', effect: 'deny', rule: 'keep-orders' }, { collection: 'products', operation: 'update', effect: 'ask', rule: 'look-at-products' }]));
    expect([pages.guidance, components.guidance]).toEqual(Array(2).fill(['The shop speaks to gardeners, in a calm voice.']));
    expect(seeds.collections.find(({ name }: Body) => name === 'products').fields.slice(0, products.fields.length)).toEqual(products.fields);
    expect(seeds.items.filter(({ collection }: Body) => collection === 'products')).toEqual([]);
    expect(items.map(({ data }) => data.sku)).toEqual(expect.arrayContaining(seeds.items.filter(({ collection }: Body) => collection === 'orders').map(({ data }: Body) => data.lines[0].sku)));
    expect(Object.keys(api.paths['/items/orders/{id}'])).not.toContain('delete');
    expect(api.paths['/items/products/{id}'].patch['x-governance']).toEqual({ rule: 'look-at-products', effect: 'ask' });
    expect(partOf(app, 'page_spec').provenance.sources).toEqual(expect.arrayContaining([`memory ${stored.body.data.id as string}`, 'policy keep-orders', 'collection products']));

    const blind = await server.newKey({ name: 'Blind', capabilities: ['artifacts:write'] });
    const seen = await generated({}, blind);
    expect(seen.context).toEqual({ collections: [], policies: [], memories: [], withheld: ['schema:read', 'items:read', 'policies:read', 'memory:read'] });
    expect(JSON.stringify(seen.artifacts)).not.toMatch(/gardeners|keep-orders|articles/);
    await admin('PUT', 'agent/policies', { rules: [] });
  });

  it('[ARTIFACT-026] [ARTIFACT-027] covers products, orders, customers and storefront pages without a model, and equal input gives equal artifacts', async () => {
    const contents = (app: Body) => (app.artifacts as Body[]).map(({ type, hash, content }) => ({ type, hash, content }) as Body);
    const [one, two, spoken] = [await generated({ name: 'Shop' }), await generated({ name: 'Shop' }), await generated({ name: 'Shop', writer: 'template' })];
    expect([contents(two), contents(spoken)]).toEqual([contents(one), contents(one)]);
    const [pages, components, seeds, api] = contents(one).map(({ content }) => content as Body);
    expect(seeds.collections.map(({ name }: Body) => name)).toEqual(['products', 'orders', 'customers']);
    expect(Object.keys(api.paths)).toEqual(['products', 'orders', 'customers'].flatMap((name) => [`/items/${name}`, `/items/${name}/{id}`]));
    expect(pages.pages.filter(({ kind }: Body) => kind === 'storefront').map(({ path }: Body) => path)).toEqual(['/', '/products', '/products/{id}', '/cart', '/checkout']);
    const known = components.components.map(({ name }: Body) => name as string);
    expect(known).toEqual(expect.arrayContaining([...new Set(pages.pages.flatMap((page: Body) => page.components as string[]))]));
    expect([(await generate({ writer: 'model' })).body.code, (await generate({ template: 'blog' })).status]).toEqual(['LLM_NOT_CONFIGURED', 422]);
  });

  it('[ARTIFACT-030] a published app has its collections and items, a rollback removes them, and the history shows both', async () => {
    const owner = await newSite();
    const act = async (id: string, verb: string): Promise<Body> => {
      const answer = await owner('POST', `agent/artifacts/${id}/${verb}`, {});
      expect([verb, answer.status, answer.body.detail]).toEqual([verb, 200, undefined]);
      return answer.body.data;
    };
    const app = await generated({}, owner);
    for (const { id, type } of app.artifacts as Body[]) {
      if (type === 'seed_data') {
        const { approvalId } = await act(id, 'submit');
        expect((await owner('POST', `agent/approvals/${approvalId as string}/decide`, { decision: 'approved' })).status).toBe(200);
      }
      expect((await act(id, 'publish')).status).toBe('published');
    }
    const counts = async () =>
      Promise.all(
        ['products', 'orders', 'customers'].map(async (name) => {
          const { status, body } = await owner('GET', `items/${name}`, undefined, { 'x-min-position': String(await server.head()) });
          return [name, status, (body.data as Body[] | undefined)?.length ?? 0];
        }),
      );
    expect(await counts()).toEqual([['products', 200, 3], ['orders', 200, 2], ['customers', 200, 2]]);
    const { id } = partOf(app, 'seed_data');
    const back = await act(id, 'rollback');
    expect([back.status, back.application.kept]).toEqual(['rolled_back', []]);
    expect((await counts()).map(([name, status]) => [name, status])).toEqual([['products', 410], ['orders', 410], ['customers', 410]]);
    expect(back.history).toEqual([expect.objectContaining({ what: 'published', version: 1, steps: 13 }), expect.objectContaining({ what: 'rolled_back', version: 1, steps: 10, kept: [] })]);
    const logged = (await server.log()).filter(({ stream_id }: Body) => stream_id === `artifact-${id as string}`).map(({ type }: Body) => type as string);
    expect(logged.slice(-4)).toEqual(['ArtifactApplying', 'ArtifactPublished', 'ArtifactUndoing', 'ArtifactRolledBack']);
    // Names of deleted collections are never free again, so the next app takes others.
    expect(partOf(await generated({}, owner), 'seed_data').content.collections.map(({ name }: Body) => name)).toEqual(['products2', 'orders2', 'customers2']);
  });

  it('[SKILL-008] the generation skills are there: those of a model say that there is none, and the others need none', async () => {
    const names = ['aiSuggestField', 'aiContentAssist', 'generateApp', 'generateAppSpec', 'generateApiDocs', 'generateSeedData'];
    expect(((await admin('GET', 'agent/tools?limit=200')).body.data as Body[]).map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    const agent = await server.newKey({ name: 'Maker', capabilities: ['artifacts:write', 'artifacts:read', 'schema:read', 'items:read'] });
    const { runId } = (await agent('POST', 'agent/goals', { title: 'Make', agentName: 'maker' })).body.data;
    const use = async (tool: string, given: object): Promise<Body> => (await agent('POST', `agent/runs/${runId as string}/tool-calls`, { tool, arguments: given })).body.data;
    for (const [tool, given] of [['aiSuggestField', { collection: 'products', purpose: 'Weight for shipping' }], ['aiContentAssist', { collection: 'products', instruction: 'Write a title' }]] as const) {
      expect(await use(tool, given)).toMatchObject({ status: 'failed', reason: expect.stringContaining('LLM_NOT_CONFIGURED') });
    }
    const app = await use('generateApp', { template: 'ecommerce' });
    expect([app.status, app.reason, app.result?.artifacts?.map(({ type }: Body) => type)]).toEqual(['executed', undefined, PARTS]);
    expect(app.result.runId).toBe(runId);
    const spec = await use('generateAppSpec', { template: 'ecommerce' });
    expect(spec.result.page_spec).toEqual(partOf(app.result, 'page_spec').content);
    expect((await use('generateApiDocs', { collections: ['products'] })).result.api_spec).toMatchObject({ openapi: '3.1.0', paths: { '/items/products': { get: {} } } });
    expect((await use('generateApiDocs', { collections: ['nowhere'] })).reason).toContain('VALIDATION_FAILED');
    const { seed_data } = (await use('generateSeedData', { collection: 'products', count: 2 })).result;
    expect(seed_data.items).toHaveLength(2);
    for (const { collection, data } of seed_data.items) expect((await admin('POST', `items/${collection as string}`, { data })).status).toBe(201);
  });
});

describe('Generate app with a language model', () => {
  let provider: Server;
  let server: TestServer;
  let asked: Body;
  let say: (question: Body) => string | null;
  beforeAll(async () => {
    provider = createServer((request, reply) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString())).on('end', () => {
        asked = JSON.parse((JSON.parse(text) as Body).messages[1].content as string);
        const said = say(asked);
        if (said === null) reply.writeHead(500).end();
        else reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices: [{ message: { content: said } }] }));
      });
    });
    await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening));
    server = await testServer({ LLM_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`, LLM_MODEL: 'small', LLM_API_KEY: 'sk-of-the-provider' });
  });
  afterAll(async () => {
    await server.close();
    provider.closeAllConnections();
    await new Promise((closed) => provider.close(closed));
  });

  const generate = () => server.admin('POST', 'agent/generate-app', { template: 'ecommerce' });
  const artifacts = async () => (await server.log()).filter(({ type }: Body) => type === 'ArtifactDrafted').length;

  it('[ARTIFACT-028] keeps what the model wrote once it has been checked', async () => {
    say = ({ draft }) => JSON.stringify({ ...draft, page_spec: { pages: [{ path: '/', title: 'Written by a model' }] } });
    const { status, body: { data } } = await generate();
    expect([status, data.writer, data.model]).toEqual([201, 'model', 'small']);
    expect(partOf(data, 'page_spec')).toMatchObject({ content: { pages: [{ title: 'Written by a model' }] }, provenance: { model: 'small' } });
    expect(asked.site.collections.map(({ name }: Body) => name)).toEqual(['products']);
    expect((await server.admin('POST', 'agent/generate-app', { template: 'ecommerce', writer: 'template' })).body.data).toMatchObject({ writer: 'template', model: null });
  });

  it('[ARTIFACT-028] keeps nothing of what does not hold', async () => {
    const before = await artifacts();
    const wrong: readonly (readonly [string, (question: Body) => string | null])[] = [
      ['LLM_INVALID_JSON', () => 'Certainly! Here is your shop.'],
      ['LLM_INVALID_JSON', () => '[]'],
      ['LLM_INVALID_JSON', ({ draft }) => JSON.stringify({ ...draft, page_spec: { pages: [] } })],
      ['LLM_INVALID_JSON', ({ draft }) => JSON.stringify({ ...draft, extra: {} })],
      ['LLM_INVALID_JSON', ({ draft }) => JSON.stringify({ ...draft, api_spec: { openapi: '3.1.0' } })],
      ['LLM_INVALID_JSON', ({ draft }) => JSON.stringify({ ...draft, seed_data: { collections: [], items: [] } })],
      ['LLM_INVALID_JSON', ({ draft }) => JSON.stringify({ ...draft, component_spec: { components: [{ name: 'x', note: 'Bearer sk-proj-abcdefghijklmnopqrstuvwxyz0123456789' }] } })],
      ['LLM_PROVIDER_ERROR', () => null],
    ];
    for (const [code, answer] of wrong) {
      say = answer;
      const { status, body } = await generate();
      expect([answer.toString(), status, body.code]).toEqual([answer.toString(), 502, code]);
    }
    expect(await artifacts()).toBe(before);
    expect((await server.log()).filter(({ type }: Body) => type === 'RunFailed')).toHaveLength(wrong.length);
  });

  it('suggests fields and texts that the collection takes, and nothing else', async () => {
    const { runId } = (await server.admin('POST', 'agent/goals', { title: 'Help', agentName: 'helper' })).body.data;
    const use = async (tool: string, given: object, said: unknown): Promise<Body> => {
      say = () => JSON.stringify(said);
      return (await server.admin('POST', `agent/runs/${runId as string}/tool-calls`, { tool, arguments: { collection: 'products', ...given } })).body.data;
    };
    const weight = { name: 'weight', type: 'number', constraints: { min: 0 } };
    expect((await use('aiSuggestField', { purpose: 'Weight' }, weight)).result).toEqual({ collection: 'products', field: weight, model: 'small' });
    for (const wrong of [{ name: 'title', type: 'text' }, { name: 'Weight', type: 'number' }, { name: 'weight', type: 'kilos' }, { name: 'kind', type: 'enum' }]) {
      expect((await use('aiSuggestField', { purpose: 'Weight' }, wrong)).reason).toContain('LLM_INVALID_JSON');
    }
    expect((await use('aiContentAssist', { instruction: 'A title', fields: ['title'] }, { data: { title: 'Fine' } })).result).toMatchObject({ id: null, data: { title: 'Fine' } });
    for (const wrong of [{ data: { title: 7 } }, { data: { sku: 'X' } }, { data: {} }, {}]) {
      expect((await use('aiContentAssist', { instruction: 'A title', fields: ['title'] }, wrong)).reason).toContain('LLM_INVALID_JSON');
    }
  });
});
