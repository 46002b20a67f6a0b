import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from './machine';
import { testServer, type Api, type Body, type TestServer } from './server';

describe('A tool of kind worker', () => {
  let server: TestServer;
  let agent: Api & { readonly id: string };
  let worker: Api & { readonly id: string };
  let ada: Api;

  const register = (name: string, more: Body = {}) => server.admin('PUT', `agent/tools/${name}`, {
    kind: 'worker', description: 'Renders a page', inputSchema: { type: 'object', properties: { page: { type: 'string' } } }, requiredCapabilities: ['pages:render'], risk: 'write', irreversible: false,
    worker: { leaseMs: 60_000 }, ...more,
  });

  beforeAll(async () => {
    server = await testServer();
    agent = await server.newKey({ name: 'robot', capabilities: ['pages:render', 'items:read'] });
    worker = await server.newKey({ name: 'renderer', kind: 'service', capabilities: ['worker:take', 'pages:render'] });
    ada = await server.newKey({ name: 'Ada', kind: 'human', capabilities: ['approvals:decide', 'items:read', 'pages:render'] });
    await register('render');
    await register('lookUp', { risk: 'read', worker: { leaseMs: 1_000 } });
    await register('brief', { worker: { leaseMs: 3_000 } });
    await register('slow', { timeoutMs: 400 });
  });
  afterAll(() => server.close());

  const open = async (more: Body = {}) => (await agent('POST', 'agent/goals', { title: 'Publish', agentName: 'robot', ...more })).body.data.runId as string;
  const call = (runId: string, tool: string, args: Body = { page: 'home' }, callId?: string) => agent('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: args, ...(callId && { callId }) });
  const poll = (tools: readonly string[], waitMs = 20_000, by: Api = worker) => by('POST', 'agent/worker/poll', { tools, waitMs });
  const settle = (leaseId: string, how: string, body?: Body, by: Api = worker) => by('POST', `agent/worker/calls/${leaseId}/${how}`, body);
  const rows = async () => (await server.pool.query<Body>('SELECT * FROM worker_call')).rows;
  const gone = (runId: string) => until(async () => ((await rows()).some((row: Body) => row.run_id === runId) ? undefined : true), () => 'the row to go', 10_000);

  it('[EXT-003] is handed to a worker that polls for it, and answers what the worker says', async () => {
    const waiting = poll(['render', 'lookUp']);
    const runId = await open();
    const asked = call(runId, 'render', { page: 'home' }, 'c1');
    const taken = await waiting;
    expect([taken.status, taken.body.data]).toEqual([200, {
      callId: 'c1', runId, tool: 'render', arguments: { page: 'home' }, leaseId: expect.stringMatching(/^lease_[0-9a-f]{32}$/), leaseUntil: expect.any(String), leaseMs: 60_000,
      token: expect.any(String), tokenExpiresAt: expect.any(String),
    }]);
    expect((await poll(['render'], 0)).status).toBe(204);
    expect((await settle(taken.body.data.leaseId, 'complete', { result: { html: '<h1>' } })).body.data).toEqual({ runId, callId: 'c1' });
    expect((await asked).body.data).toMatchObject({ callId: 'c1', status: 'executed', result: { html: '<h1>' } });
    await gone(runId);
    const failing = call(runId, 'render', {}, 'c2');
    const { leaseId } = (await poll(['render'])).body.data;
    await settle(leaseId, 'fail', { error: 'No such page' });
    expect((await failing).body.data).toMatchObject({ status: 'failed', reason: 'No such page', rule: 'handler_failed' });
    expect((await settle(leaseId, 'complete', {})).status).toBe(403);
  });

  it('waits no longer than it was told to, and not at all for nothing', async () => {
    const answers = await Promise.all([0, 20].map((waitMs) => poll(['lookUp'], waitMs)));
    expect(answers.map(({ status, text }) => [status, text])).toEqual([[204, ''], [204, '']]);
  });

  it('goes only to keys that may carry it out, for as long as they may', async () => {
    const poor = await server.newKey({ name: 'poor', kind: 'service', capabilities: ['worker:take'] });
    expect(await poll(['render'], 0, poor)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN', facts: { tools: ['render'] } } });
    expect((await poll(['render'], 0, agent)).status).toBe(403);
    for (const name of ['getItem', 'nothing']) expect(await poll(['render', name], 0)).toMatchObject({ status: 403, body: { facts: { tools: [name] } } });
    const revoked = await server.newKey({ name: 'revoked', kind: 'service', capabilities: ['worker:take', 'pages:render'] });
    const waiting = poll(['render'], 20_000, revoked);
    await server.admin('PUT', `api-keys/${revoked.id}`, { capabilities: ['worker:take'] });
    const runId = await open();
    const asked = call(runId, 'render');
    expect((await waiting).status).toBe(403);
    const { leaseId } = (await poll(['render'])).body.data;
    expect((await settle(leaseId, 'complete', {}, await server.newKey({ capabilities: ['worker:take', 'pages:render'] }))).status).toBe(403);
    await settle(leaseId, 'complete', {});
    expect((await asked).body.data.status).toBe('executed');
  });

  it('is given to one of many workers', async () => {
    const runId = await open();
    const asked = ['a', 'b', 'c', 'd', 'e'].map((page) => call(runId, 'render', { page }, page));
    const taken = await Promise.all(Array.from({ length: 5 }, () => poll(['render'])));
    expect(taken.map(({ body }) => body.data.callId as string).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
    await Promise.all(taken.map(({ body }) => settle(body.data.leaseId as string, 'complete', { result: body.data.callId })));
    expect((await Promise.all(asked)).map(({ body }) => body.data.result as string)).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it('[EXT-005] is kept by heartbeats; without them one that may be repeated is offered again, and what the first worker says is too late', async () => {
    const runId = await open();
    const kept = call(runId, 'render', {}, 'kept');
    const long = (await poll(['render'])).body.data;
    const renewed = (await settle(long.leaseId, 'heartbeat')).body.data;
    expect([Date.parse(renewed.leaseUntil as string) > Date.parse(long.leaseUntil as string), renewed.leaseMs]).toEqual([true, 60_000]);
    await settle(long.leaseId, 'complete', { result: 'first' });
    expect((await kept).body.data.result).toBe('first');
    const asked = call(runId, 'lookUp', {}, 'again');
    const first = (await poll(['lookUp'])).body.data;
    const second = (await poll(['lookUp'])).body.data;
    expect(second).toMatchObject({ callId: 'again', runId });
    expect(second.leaseId).not.toBe(first.leaseId);
    for (const how of ['heartbeat', 'complete']) expect([403, 409]).toContain((await settle(first.leaseId, how, {})).status);
    // On a busy machine a lease of a second may be lost again.
    for (let { leaseId } = second; (await settle(leaseId as string, 'complete', { result: 'second' })).status !== 200; ) leaseId = (await poll(['lookUp'])).body.data.leaseId;
    expect((await asked).body.data).toMatchObject({ status: 'executed', result: 'second' });
  });

  it('[EXT-005] becomes indeterminate without a heartbeat when it may not be repeated, and a person says what happened', async () => {
    const runId = await open();
    const asked = call(runId, 'brief', { page: 'pay' }, 'pay');
    const { leaseId } = (await poll(['brief'])).body.data;
    const answer = (await asked).body.data;
    expect(answer).toMatchObject({ status: 'indeterminate', approvalId: expect.any(String) });
    expect((await server.admin('GET', `agent/runs/${runId}`)).body.data).toMatchObject({ status: 'awaiting_approval', toolCalls: [{ callId: 'pay', status: 'indeterminate' }] });
    expect([403, 409]).toContain((await settle(leaseId, 'complete', {})).status);
    expect((await poll(['brief'], 0)).status).toBe(204);
    const again = ada('POST', `agent/approvals/${answer.approvalId}/decide`, { decision: 'approved' });
    const taken = (await poll(['brief'])).body.data;
    expect(taken).toMatchObject({ callId: 'pay', arguments: { page: 'pay' } });
    await settle(taken.leaseId, 'complete', { result: 'paid' });
    expect((await again).body.data.call).toMatchObject({ status: 'executed', result: 'paid' });
  });

  it('is withdrawn when the time of the call is up', async () => {
    const runId = await open();
    expect((await call(runId, 'slow')).body.data).toMatchObject({ status: 'failed', rule: 'timeout' });
    await gone(runId);
    expect((await poll(['slow'], 0)).status).toBe(204);
  });

  it('keeps no secret of a call in its table', async () => {
    const runId = await open();
    const asked = call(runId, 'render', { password: 'correct-horse-battery' }, 'secret');
    const taken = (await poll(['render'])).body.data;
    expect(taken.arguments).toEqual({ password: 'correct-horse-battery' });
    expect(JSON.stringify(await rows())).not.toContain('correct-horse');
    await settle(taken.leaseId, 'complete', { result: { token: 'sk_live_0123456789abcdef0123456789abcdef' } });
    expect(JSON.stringify(await rows())).not.toContain('sk_live_0123');
    expect((await asked).body.data.status).toBe('executed');
    await gone(runId);
    expect(JSON.stringify(await server.log())).not.toContain('correct-horse');
  });

  it('[AUTH-022] brings its worker a token of the run, which shows that run and no other', async () => {
    const [runId, other] = [await open(), await open()];
    const asked = call(runId, 'render');
    const { token, tokenExpiresAt, leaseId } = (await poll(['render'])).body.data;
    expect(Date.parse(tokenExpiresAt as string)).toBeGreaterThan(Date.now());
    const bearer = server.as(token as string);
    expect((await bearer('GET', `agent/runs/${runId}`)).body.data.runId).toBe(runId);
    for (const path of [`agent/runs/${other}`, 'agent/runs', 'items/products']) expect((await bearer('GET', path)).status).toBe(403);
    // It is the worker's own, and the run is not: it calls nothing in its name.
    expect((await bearer('POST', `agent/runs/${runId}/tool-calls`, { tool: 'render' })).status).toBe(403);
    await settle(leaseId as string, 'complete', {});
    expect((await asked).body.data.status).toBe('executed');
  });
});
