import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../apps/gateway/src/config';
import { startServer, type Server } from '../../apps/gateway/src/server';
import { everyText } from './every-text';
import { apiAt, testServer, type Api, type Body, type TestServer } from './server';

const HOUR = 3_600_000;

describe('Settings of a site', () => {
  let server: TestServer;
  let other: Server;
  let there: Api;
  let agent: Api & { readonly id: string };

  beforeAll(async () => {
    server = await testServer();
    other = await startServer(readConfig({ DATABASE_URL: server.databaseUrl, PORT: '0', HARNESS_DATA_DIR: server.dataDir, HARNESS_ROLES: 'gateway' }));
    there = apiAt(other.url!)(server.admin.key);
    agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:update', 'items:delete'] });
  });
  afterAll(async () => {
    await other.stop();
    await server.close();
  });

  const get = async (by: Api = server.admin) => (await by('GET', 'settings')).body.data as Body;
  const put = (change: Body, by: Api = server.admin) => by('PUT', 'settings', change);
  const open = async (more: Body = {}, by: Api = agent) => (await by('POST', 'agent/goals', { title: 'Tidy up', agentName: 'robot', ...more })).body.data as Body;
  const call = async (runId: string, tool: string, args: Body, by: Api = agent) => (await by('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: args })).body.data as Body;
  const newItem = async () => (await server.admin('POST', 'items/products', { data: { sku: 'S-1', title: 'A thing' } })).body.data.id as string;

  it('[FLAG-001] [FLAG-005] show four flags, all off, and every other setting with the value in force', async () => {
    expect(await get()).toEqual({
      contentOs: { reconciler: false, vetoWindow: false, agentReview: false, mcp: false },
      vetoWindowMs: 4 * HOUR, agentReviewMinConfidence: 0.8, separationOfDuties: false, approvalExpiryMs: 7 * 24 * HOUR, approvalExpiryMsByKind: {},
      promotion: { streak: 20, decided: 10, rate: 0.95 },
      budget: { maxToolCalls: 20, maxCostUsd: 2, timeoutMs: 30_000, maxArtifactBytes: 524_288 },
      notifications: { channels: [] }, outbound: { allowHosts: [] }, secrets: [], governanceVersion: expect.any(Number),
    });
  });

  it('[DOOR-025] let safe tools run and make an approval of dangerous ones, as they come', async () => {
    expect((await server.admin('GET', 'agent/autonomy')).body.data.grants).toEqual([]);
    const { runId } = await open();
    const id = await newItem();
    expect(await call(runId, 'getItem', { collection: 'products', id })).toMatchObject({ status: 'executed' });
    expect(await call(runId, 'updateItem', { collection: 'products', id, data: { title: 'Tidy' } })).toMatchObject({ status: 'executed' });
    expect(await call(runId, 'deleteItem', { collection: 'products', id })).toMatchObject({ status: 'pending_approval', approvalId: expect.stringMatching(/^appr_/) });
  });

  it('[FLAG-003] [FLAG-005] change one by one, each as an event with its actor', async () => {
    const before = await get();
    const writer = await server.newKey({ name: 'Grace', kind: 'human', capabilities: ['settings:write'] });
    const changes: Body[] = [
      { contentOs: { mcp: true } }, { contentOs: { reconciler: true, agentReview: true } }, { vetoWindowMs: HOUR }, { agentReviewMinConfidence: 0.5 }, { separationOfDuties: true },
      { approvalExpiryMs: HOUR }, { approvalExpiryMsByKind: { tool_call: 2 * HOUR, plan: HOUR } }, { promotion: { streak: 3 } }, { budget: { maxToolCalls: 7 } }, { budget: { maxCostUsd: 1 } },
      { notifications: { channels: ['ops@example.org'] } }, { outbound: { allowHosts: ['*.corp.example'] } },
    ];
    const head = await server.head();
    for (const change of changes) expect((await put(change, writer)).status).toBe(200);
    const events = (await server.log()).filter(({ position }: Body) => BigInt(position) > head);
    expect(events.map(({ type, data, metadata }: Body) => [type, data, metadata.actor])).toEqual([
      ['FlagChanged', { flag: 'mcp', on: true }], ['FlagChanged', { flag: 'reconciler', on: true }], ['FlagChanged', { flag: 'agentReview', on: true }],
      ...changes.slice(2, 7).map((change) => ['SettingsChanged', { changes: change }]), ['SettingsChanged', { changes: { promotion: { streak: 3, decided: 10, rate: 0.95 } } }],
      ['SettingsChanged', { changes: { budget: { maxToolCalls: 7 } } }], ['SettingsChanged', { changes: { budget: { maxToolCalls: 7, maxCostUsd: 1 } } }],
      ...changes.slice(10).map((change) => ['SettingsChanged', { changes: change }]),
    ].map(([type, data]) => [type, data, { kind: 'human', id: writer.id }]));
    expect(await get()).toMatchObject({
      contentOs: { reconciler: true, vetoWindow: false, agentReview: true, mcp: true }, vetoWindowMs: HOUR, approvalExpiryMsByKind: { tool_call: 2 * HOUR, plan: HOUR },
      promotion: { streak: 3, decided: 10 }, budget: { maxToolCalls: 7, maxCostUsd: 1, timeoutMs: 30_000 },
    });

    const again = await server.head();
    for (const change of changes) expect((await put(change, writer)).status).toBe(200);
    expect(await server.head()).toBe(again);
    const { governanceVersion: _now, budget: _budget, secrets: _names, ...restored } = before;
    await put({ ...restored, approvalExpiryMsByKind: { tool_call: null, plan: null }, budget: { maxToolCalls: null, maxCostUsd: null } });
    const { governanceVersion: _then, ...after } = await get();
    expect({ ...after, governanceVersion: before.governanceVersion }).toEqual(before);
  });

  it('give their budget to runs that name none, and their expiry to approvals', async () => {
    await put({ budget: { maxToolCalls: 2, timeoutMs: 9_000 }, approvalExpiryMs: HOUR });
    const { runId } = await open({ budget: { timeoutMs: 5_000 } });
    expect((await agent('GET', `agent/runs/${runId}`)).body.data.envelope.budget).toMatchObject({ maxToolCalls: 2, timeoutMs: 5_000, maxCostUsd: 2 });
    const { approvalId } = await call(runId, 'deleteItem', { collection: 'products', id: await newItem() });
    const { requestedAt, expiresAt } = (await server.admin('GET', `agent/approvals/${approvalId as string}`)).body.data;
    expect(Date.parse(expiresAt as string) - Date.parse(requestedAt as string)).toBe(HOUR);
    await put({ budget: { maxToolCalls: null, timeoutMs: null }, approvalExpiryMs: 7 * 24 * HOUR });
  });

  it('[FLAG-006] are in force in every process for the very next decision', async () => {
    const writer = await server.newKey({ name: 'writer', capabilities: ['items:read', 'items:delete'], agentRole: 'Cleaner' });
    await server.admin('POST', 'agent/roles', { name: 'Cleaner', capabilities: ['items:delete'] });
    await server.admin('PUT', 'agent/autonomy/grants', { agentRole: 'Cleaner', capability: 'items:delete', level: 4 });
    const from = [writer, apiAt(other.url!)(writer.key)];
    for (let round = 0; round < 10; round++) {
      const on = round % 2 === 0;
      const changed = await put({ contentOs: { vetoWindow: on } }, round % 4 < 2 ? server.admin : there);
      const asked = await Promise.all(from.map(async (by) => call((await open({}, by)).runId as string, 'deleteItem', { collection: 'products', id: await newItem() }, by)));
      for (const answer of asked) expect(answer).toMatchObject({ status: on ? 'executed' : 'pending_approval', governanceVersion: changed.body.data.governanceVersion });
    }
    await put({ contentOs: { vetoWindow: false } });
  });

  it.each([
    ['an unknown setting', { mood: 'good' }, ''], ['an unknown flag', { contentOs: { magic: true } }, '/contentOs'], ['a flag as text', { contentOs: { mcp: 'yes' } }, '/contentOs/mcp'],
    ['no time at all', { vetoWindowMs: 0 }, '/vetoWindowMs'], ['more than certainty', { agentReviewMinConfidence: 1.2 }, '/agentReviewMinConfidence'],
    ['an unknown kind of approval', { approvalExpiryMsByKind: { wedding: HOUR } }, '/approvalExpiryMsByKind'], ['an unknown limit', { budget: { maxFun: 1 } }, '/budget'],
    ['a secret of no name', { secrets: { 'a b': 'hush' } }, '/secrets'], ['a secret without a value', { secrets: { api: '' } }, '/secrets/api'], ['a secret that is no text', { secrets: { api: 7 } }, '/secrets/api'],
  ])('refuse %s and stay as they are', async (_name, wrong, pointer) => {
    const before = await server.head();
    const answer = await put(wrong);
    expect([answer.status, answer.body.code, answer.body.facts.errors[0].pointer]).toEqual([422, 'VALIDATION_FAILED', expect.stringContaining(pointer)]);
    expect(await server.head()).toBe(before);
  });

  it('[FLAG-004] change all at once as well, secrets among them', async () => {
    const all = {
      outbound: { allowHosts: ['127.0.0.1:9000', '*.corp.example'] }, secrets: { crm: 'hush' }, contentOs: { reconciler: true, vetoWindow: true, agentReview: true, mcp: true }, vetoWindowMs: HOUR,
      agentReviewMinConfidence: 0.9, separationOfDuties: true, approvalExpiryMs: HOUR, approvalExpiryMsByKind: { plan: HOUR }, promotion: { streak: 5, decided: 6, rate: 0.7 },
      budget: { maxToolCalls: 3, maxCostUsd: 1, timeoutMs: 1_000, maxArtifactBytes: 10 }, notifications: { channels: ['in-app'] },
    };
    const before = await get();
    expect(await put(all)).toMatchObject({ status: 200, body: { data: { ...all, secrets: ['crm'] } } });
    expect(await get()).toMatchObject({ ...all, secrets: ['crm'] });
    const { governanceVersion: _now, budget: _budget, secrets: _names, ...restored } = before;
    expect((await put({
      ...restored, secrets: { crm: null }, approvalExpiryMsByKind: { plan: null }, budget: { maxToolCalls: null, maxCostUsd: null, timeoutMs: null, maxArtifactBytes: null },
    })).status).toBe(200);
    expect({ ...(await get()), governanceVersion: 0 }).toEqual({ ...before, governanceVersion: 0 });
  });

  it('[EXT-019] take secrets, and no answer, event, row or line ever gives one back', async () => {
    const told = [JSON.stringify((await put({ secrets: { stripe: 'hush-one-4711', mail: 'hush-two-4711' }, separationOfDuties: false })).body)];
    told.push(JSON.stringify((await put({ secrets: { mail: null, unknown: null } })).body), (await put({ secrets: { api: { deep: 'hush-three-4711' } } })).text);
    expect(await get()).toMatchObject({ secrets: ['stripe'] });
    expect(await get(await server.newKey({ kind: 'human', capabilities: [] }))).toMatchObject({ secrets: ['stripe'] });
    const secretEvents = (await server.log()).filter(({ type }: Body) => type === 'SecretsChanged').map(({ data }: Body) => data);
    expect(secretEvents.slice(-2)).toEqual([{ set: ['stripe', 'mail'], removed: [] }, { set: [], removed: ['mail'] }]);
    for (const path of ['settings', 'audit/events?limit=200', 'agent/activity', '/openapi.json', 'agent/replay/verify']) told.push((await server.admin('GET', path)).text);
    expect([...told, await everyText(server.pool)].join('\n')).not.toMatch(/hush-(one|two|three)/);
    expect(await put({ secrets: { stripe: null } })).toMatchObject({ status: 200, body: { data: { secrets: [] } } });
  });

  it('are changed by admins and by holders of settings:write only', async () => {
    for (const kind of ['agent', 'human', 'service']) {
      const answer = await put({ separationOfDuties: true }, await server.newKey({ kind, capabilities: ['items:read', 'settings:read'] }));
      expect([answer.status, answer.body.code]).toEqual([403, 'FORBIDDEN']);
    }
    expect((await put({ separationOfDuties: false }, await server.newKey({ kind: 'service', capabilities: ['settings:write'] }))).status).toBe(200);
  });
});
