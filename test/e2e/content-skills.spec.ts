import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testServer, type Api, type Body, type TestServer } from './server';

const SCHEMA = {
  listCollections: 'schema:read', createCollection: 'schema:create', updateCollection: 'schema:update', deleteCollection: 'schema:delete', createField: 'schema:update',
  updateField: 'schema:update', deleteField: 'schema:delete', listRelations: 'schema:read', createRelation: 'schema:create', deleteRelation: 'schema:delete',
};
const ITEMS = { listItems: 'items:read', getItem: 'items:read', createItem: 'items:write', createItems: 'items:write', updateItem: 'items:update', deleteItem: 'items:delete', restoreRevision: 'items:write' };
const VERSIONS = {
  listVersions: 'items:read', compareVersion: 'items:read', createVersion: 'items:write', updateVersion: 'items:write', promoteVersion: 'items:write', deleteVersion: 'items:write',
};
const CAPABILITIES = [...new Set(Object.values({ ...SCHEMA, ...ITEMS, ...VERSIONS }))];

describe('Skills for content', () => {
  let server: TestServer;
  let agent: Api;
  let runId: string;
  let tools: Readonly<Record<string, Body>>;

  /** Calls a tool as the agent; a person says yes to whatever is asked. */
  const call = async (tool: string, args: Body, run = runId): Promise<Body> => {
    const { data } = (await agent('POST', `agent/runs/${run}/tool-calls`, { tool, arguments: args })).body;
    if (data.status !== 'pending_approval') return data;
    const decided = await server.admin('POST', `agent/approvals/${data.approvalId as string}/decide`, { decision: 'approved' });
    return { ...decided.body.data.call, asked: true };
  };
  const done = async (tool: string, args: Body): Promise<Body> => {
    const answer = await call(tool, args);
    expect([tool, answer.status, answer.reason]).toEqual([tool, 'executed', undefined]);
    return answer.result;
  };
  const holds = (skills: Readonly<Record<string, string>>) =>
    expect(Object.fromEntries(Object.keys(skills).map((name) => [name, tools[name]?.requiredCapabilities]))).toEqual(Object.fromEntries(Object.entries(skills).map(([name, needed]) => [name, [needed]])));
  const flagged = (flag: string) => Object.keys({ ...SCHEMA, ...ITEMS, ...VERSIONS }).filter((name) => tools[name]![flag] === true).toSorted();

  beforeAll(async () => {
    server = await testServer();
    agent = await server.newKey({ name: 'robot', capabilities: CAPABILITIES });
    runId = (await agent('POST', 'agent/goals', { title: 'Work', agentName: 'robot', budget: { maxToolCalls: 200 } })).body.data.runId as string;
    tools = Object.fromEntries(((await server.admin('GET', 'agent/tools?limit=200')).body.data as Body[]).map((tool) => [tool.name as string, tool]));
  });
  afterAll(() => server.close());

  it('[SKILL-005] change the schema: collections, fields and relations', async () => {
    holds(SCHEMA);
    expect(flagged('irreversible')).toEqual(['deleteCollection', 'deleteField', 'deleteRelation']);
    await done('createCollection', { name: 'trees', fields: [{ name: 'kind', type: 'text' }] });
    await done('createCollection', { name: 'kinds', fields: [{ name: 'title', type: 'text' }] });
    await done('updateCollection', { name: 'trees', description: 'All of them' });
    await done('createField', { collection: 'trees', field: { name: 'height', type: 'number' } });
    expect((await done('updateField', { collection: 'trees', field: 'height', constraints: { min: 0 } })).fields[1]).toMatchObject({ constraints: { min: 0 } });
    await done('createRelation', { collection: 'trees', name: 'of', field: 'kind', to: 'kinds' });
    expect(await done('listRelations', { collection: 'kinds' })).toEqual([{ name: 'of', from: 'trees', field: 'kind', to: 'kinds' }]);
    expect((await done('listCollections', {})).rows.find(({ name }: Body) => name === 'trees')).toMatchObject({ description: 'All of them', relations: [{ name: 'of' }] });
    for (const [tool, args] of [['deleteRelation', { collection: 'trees', name: 'of' }], ['deleteField', { collection: 'trees', field: 'height' }], ['deleteCollection', { name: 'trees' }]] as const) {
      expect([tool, await call(tool, args)]).toMatchObject([tool, { status: 'executed', asked: true }]);
    }
    expect((await server.admin('GET', 'collections/trees')).status).toBe(410);
  });

  it('[SKILL-006] read and change items, and bring revisions back', async () => {
    holds(ITEMS);
    const { id } = await done('createItem', { collection: 'products', data: { sku: 'S-1', title: 'One' } });
    expect(await done('createItems', { collection: 'products', items: [{ sku: 'S-2', title: 'Two' }, { sku: 'S-3', title: 'Three' }] })).toMatchObject({ created: 2, ids: [expect.any(String), expect.any(String)] });
    const place = { collection: 'products', id };
    await done('updateItem', { ...place, data: { title: 'Two' } });
    expect((await done('restoreRevision', { ...place, revision: 1 })).data).toMatchObject({ title: 'One' });
    expect((await done('getItem', place)).version).toBe(3);
    expect((await done('listItems', { collection: 'products', where: [{ field: 'sku', is: 'eq', value: 'S-1' }], limit: 50 })).rows).toMatchObject([{ id, data: { title: 'One' } }]);
    await server.admin('POST', `items/products/${id as string}/pins`, { fields: ['title'] });
    expect(JSON.stringify(await call('restoreRevision', { ...place, revision: 2 }))).toContain('PINNED_BY_HUMAN');
    await server.admin('DELETE', `items/products/${id as string}/pins`);
    await done('deleteItem', place);
    expect((await server.admin('GET', `items/products/${id as string}`)).status).toBe(410);
  });

  it('[SKILL-007] keep named versions of an item', async () => {
    holds(VERSIONS);
    expect(flagged('dangerous')).toEqual(expect.arrayContaining(['createVersion', 'promoteVersion', 'updateVersion']));
    const { id } = await done('createItem', { collection: 'products', data: { sku: 'V-1', title: 'One' } });
    const place = { collection: 'products', id };
    expect(await call('createVersion', { ...place, name: 'spring', data: { title: 'Spring' } })).toMatchObject({ status: 'executed', asked: true });
    await done('updateVersion', { ...place, name: 'spring', data: { title: 'May' } });
    expect(await done('listVersions', place)).toMatchObject([{ name: 'spring', changes: { title: 'May' } }]);
    expect((await done('compareVersion', { ...place, name: 'spring' })).changes).toEqual([{ field: 'title', before: 'One', after: 'May' }]);
    await server.admin('POST', `items/products/${id as string}/pins`, { fields: ['title'] });
    expect(await call('promoteVersion', { ...place, name: 'spring' })).toMatchObject({ status: 'denied', reason: 'pinned_by_human' });
    await server.admin('DELETE', `items/products/${id as string}/pins`);
    expect((await done('promoteVersion', { ...place, name: 'spring' })).data).toMatchObject({ title: 'May' });
    await done('createVersion', { ...place, name: 'summer' });
    expect(await done('deleteVersion', { ...place, name: 'summer' })).toEqual({ name: 'summer', deleted: true });
  });

  it('[CONTENT-009] leave revisions that show model, constitution, sources, confidence, what is staged until when, and every change', async () => {
    const { id: constitutionId } = (await server.admin('POST', 'agent/constitution', { evaluators: [{ id: 'title', type: 'rule', rule: 'required', field: 'title' }] })).body.data;
    await server.admin('POST', `agent/constitution/${constitutionId as string}/activate`);
    await server.admin('PUT', 'settings', { contentOs: { vetoWindow: true } });
    const { id } = (await server.admin('POST', 'items/products', { data: { sku: 'P-1', title: 'One' } })).body.data;
    const goal = async (more: Body) => (await agent('POST', 'agent/goals', { title: 'Write', agentName: 'robot', ...more })).body.data.runId as string;
    const [direct, careful] = [await goal({}), await goal({ approvalPolicy: 'before_commit' })];
    const { constitutionHash } = (await agent('GET', `agent/runs/${direct}`)).body.data.metrics;
    const provenance = { model: 'large-1', sources: ['https://example.com/a', 'item'], confidence: 0.8 };
    await call('updateItem', { collection: 'products', id, data: { title: 'Two' }, provenance }, direct);
    const staged = await call('updateItem', { collection: 'products', id, data: { title: 'Three' } }, careful);
    const { data } = (await server.admin('GET', `items/products/${id as string}/revisions`, undefined, { 'x-min-position': String(await server.head()) })).body;
    const change = (before: string, after: string) => [{ field: 'title', before, after }];
    expect(data).toContainEqual(expect.objectContaining({ action: 'updated', ...provenance, constitutionHash, createdByRunId: direct, staged: false, autoCommitAt: null, changes: change('One', 'Two') }));
    expect(data).toContainEqual(expect.objectContaining({ action: 'staged', constitutionHash, createdByRunId: careful, staged: true, autoCommitAt: staged.autoCommitAt, changes: change('Two', 'Three') }));
    expect([constitutionHash, staged.autoCommitAt]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/Z$/)]);
    expect((await server.admin('GET', `items/products/${id as string}?provenance=true`)).body.data.provenance).toMatchObject({ ...provenance, constitutionHash, createdByRunId: direct });
  });
});
