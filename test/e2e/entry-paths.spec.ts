import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { skill } from '@app/skills';
import { z } from 'zod';
import { rawServer, rawTool, type RawServer } from '../../libs/tool-mcp/src/testing';
import { eventually } from './eventually';
import { testServer, type Api, type Body, type TestServer } from './server';

const ENDED = ['succeeded', 'failed', 'cancelled'];

/** Every way to a handler, gone with a handler that looks into the log as soon as it is reached: had the door decided by then? */
describe('On every entry path', () => {
  let server: TestServer;
  let agent: Api & { readonly id: string };
  let ada: Api & { readonly id: string };
  let upstream: RawServer;
  let outside: Server;
  let during: (() => Promise<void>) | undefined;
  const reached: { readonly path: string; readonly decided: boolean }[] = [];

  const authorised = async (where: string, values: readonly unknown[]): Promise<number> =>
    (await server.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM es_event WHERE type = 'ToolCallAuthorised' AND ${where}`, [...values])).rows[0]!.n;
  /** Of a handler that is not told which call it is for: there is one decision more than it was reached before. */
  const reachedOutside = async (tool: string) => {
    const before = reached.filter(({ path }) => path === tool).length;
    reached.push({ path: tool, decided: (await authorised(`data::jsonb ->> 'tool' = $1`, [tool])) > before });
  };
  const witness = skill('witness', {
    description: 'Tells how it was reached.', input: z.strictObject({ path: z.string(), fail: z.boolean().default(false) }), capability: 'items:update', risk: 'write',
    run: async ({ path, fail }, { runId, callId }) => {
      reached.push({ path, decided: (await authorised(`stream_id = $1 AND data::jsonb ->> 'callId' = $2`, [`run-${runId}`, callId])) > 0 });
      await during?.();
      if (fail) throw new Error('It was to fail');
      return { ok: true as const, data: { path }, position: 0n };
    },
  });

  beforeAll(async () => {
    server = await testServer({ HARNESS_MASTER_KEY: 'cd'.repeat(32) }, [witness]);
    agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:update', 'staging:sweep'] });
    ada = await server.newKey({ name: 'Ada', kind: 'human', capabilities: ['approvals:decide', 'items:update'] });
    upstream = await rawServer([rawTool('search')]);
    upstream.on['tools/call'] = ({ id }) => (response) =>
      void reachedOutside('docs.search').then(() => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'found' }] } })));
    outside = createServer((_request, response) => void reachedOutside('lookup').then(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"found":true}')));
    await new Promise<void>((done) => outside.listen(0, '127.0.0.1', done));
    await server.admin('PUT', 'settings', { contentOs: { agentReview: true }, outbound: { allowHosts: ['127.0.0.1'] } });
  });
  afterAll(async () => {
    await server.close();
    await upstream.close();
    await new Promise((done) => outside.close(done));
  });

  const open = async (more: Body = {}, by: Api = agent) => (await by('POST', 'agent/goals', { title: 'Go', agentName: 'robot', ...more })).body.data.runId as string;
  const call = async (runId: string, tool: string, args: Body, callId?: string) =>
    (await agent('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: args, ...(callId !== undefined && { callId }) })).body.data as Body;
  const asked = async (path: string) => (await call(await open({ approvalPolicy: 'before_execute' }), 'witness', { path })).approvalId as string;
  const ended = (runId: string) => eventually(async () => (await agent('GET', `agent/runs/${runId}`)).body.data as Body, ({ status }) => ENDED.includes(status as string));
  const task = (path: string, more: Body = {}) => ({ title: 'Task', agentName: 'robot', task: { skillName: 'witness', arguments: { path, ...more } } });
  /** The item changed after the decision that staged it. */
  const stagedBeforeWritten = async (stagingId: string) => {
    const log = await server.log();
    const decision = log.findIndex(({ type, data }: Body) => type === 'ToolCallStaged' && data.stagingId === stagingId);
    const written = log.findIndex(({ type, data }: Body) => type === 'ItemPatched' && data.staged?.stagingId === stagingId);
    return decision >= 0 && decision < written;
  };
  const staged = async () => {
    await server.admin('PUT', 'settings', { contentOs: { vetoWindow: true } });
    const { id } = (await server.admin('POST', 'items/products', { data: { sku: 'E', title: 'Before' } })).body.data;
    return (await call(await open({ approvalPolicy: 'before_commit' }), 'updateItem', { collection: 'products', id, data: { title: 'After' } })).stagingId as string;
  };

  /** Goes a way and says how often a handler is to be reached on it. */
  const WAYS: Readonly<Record<string, (path: string) => Promise<number>>> = {
    'a tool call over REST': async (path) => {
      expect((await call(await open(), 'witness', { path })).status).toBe('executed');
      return 1;
    },
    'a tool call over GraphQL': async (path) => {
      const query = 'mutation ($runId: ID!, $input: RequestToolCallInput!) { requestToolCall(runId: $runId, input: $input) { data { status } } }';
      const answer = await agent('POST', '/graphql', { query, variables: { runId: await open(), input: { tool: 'witness', arguments: { path } } } });
      expect(answer.body.data.requestToolCall.data.status).toBe('executed');
      return 1;
    },
    'the task of a goal': async (path) => {
      expect((await agent('POST', 'agent/goals', task(path))).body.data.result.status).toBe('executed');
      return 1;
    },
    'a queued run by a worker': async (path) => {
      const { runId } = (await agent('POST', 'agent/goals', { ...task(path), execution: 'async' })).body.data;
      expect((await ended(runId as string)).status).toBe('succeeded');
      return 1;
    },
    'an approval that resumes': async (path) => {
      const id = await asked(path);
      expect(reached.filter((each) => each.path === path)).toEqual([]);
      expect((await ada('POST', `agent/approvals/${id}/decide`, { decision: 'approved' })).body.data.call.status).toBe('executed');
      return 1;
    },
    'approvals decided in a batch': async (path) => {
      const decisions = [{ approvalId: await asked(path), decision: 'approved' }, { approvalId: await asked(path), decision: 'approved' }];
      expect((await ada('POST', 'agent/approvals/decide', { decisions })).status).toBe(200);
      return 2;
    },
    'the route of the classic copilot': async (path) => {
      await ada('POST', `ai/approvals/${await asked(path)}/decide`, { decision: 'approved' });
      return 1;
    },
    'an agent that reviews': async (path) => {
      const checker = await server.newKey({ name: 'checker', capabilities: ['review:items', 'items:read'] });
      const reviewerRunId = await open({ agentRole: 'FactChecker' }, checker);
      expect((await checker('POST', `agent/approvals/${await asked(path)}/agent-decide`, { reviewerRunId, verdict: 'approve', confidence: 1, reason: 'Fine' })).body.data.status).toBe('approved');
      return 1;
    },
    'a staged change, committed by a person': async () => {
      const stagingId = await staged();
      expect((await ada('POST', `agent/staged/${stagingId}/commit-now`)).body.data.status).toBe('committed');
      expect(await stagedBeforeWritten(stagingId)).toBe(true);
      return 0;
    },
    'the sweep of staged changes': async () => {
      const stagingId = await staged();
      const runId = await open();
      expect((await call(runId, 'veto-sweep', {}, 'sweep')).status).toBe('executed');
      expect(await authorised(`stream_id = $1 AND data::jsonb ->> 'callId' = 'sweep'`, [`run-${runId}`])).toBe(1);
      expect(await stagedBeforeWritten(stagingId)).toBe(false);
      return 0;
    },
    'a flow': async (path) => {
      const flow = { name: 'Way', trigger: { on: 'event', types: ['SiteCreated'] }, operations: [{ do: 'run-skill', tool: 'witness', arguments: { path } }], capabilities: ['items:update'] };
      const { id } = (await server.admin('POST', 'agent/flows', flow)).body.data;
      await server.admin('POST', `agent/flows/${id}/run`);
      const { lastRun } = await eventually(async () => (await server.admin('GET', `agent/flows/${id}`)).body.data as Body, (one) => one.lastRun !== null && one.running === null);
      expect(lastRun.status).toBe('succeeded');
      return 1;
    },
    'a retry': async (path) => {
      const { runId } = (await agent('POST', 'agent/goals', task(path, { fail: true }))).body.data;
      expect((await ended((await agent('POST', `agent/runs/${runId}/retry`)).body.data.runId as string)).status).toBe('failed');
      return 2;
    },
    'a fork': async (path) => {
      const runId = await open();
      await call(runId, 'witness', { path }, 'a');
      await call(runId, 'witness', { path }, 'b');
      const forked = (await agent('POST', `agent/runs/${runId}/fork`, { atCallId: 'b' })).body.data.runId as string;
      for (const callId of ['a', 'b']) expect((await call(forked, 'witness', { path }, callId)).status).toBe('executed');
      return 3;
    },
    'an outcome that a client reports': async () => {
      await server.admin('PUT', 'agent/tools/shell', { kind: 'client', description: 'Runs at the agent', inputSchema: { type: 'object' }, requiredCapabilities: ['items:update'], risk: 'write', irreversible: false });
      const runId = await open();
      const report = () => agent('POST', `agent/runs/${runId}/tool-calls/mine/outcome`, { status: 'executed', result: {} });
      expect((await report()).status).toBeGreaterThanOrEqual(400);
      await call(runId, 'shell', {}, 'mine');
      expect(await authorised(`stream_id = $1 AND data::jsonb ->> 'callId' = 'mine'`, [`run-${runId}`])).toBe(1);
      expect((await report()).body.data.status).toBe('executed');
      return 0;
    },
    'a replay, a backtest, a dry run': async (path) => {
      await server.admin('PUT', 'agent/policies', { rules: [] });
      const candidate = { policies: [{ name: 'all', when: {}, then: { do: 'allow' } }] };
      expect((await server.admin('GET', 'agent/replay/verify')).text).toContain('"ok":true');
      expect((await server.admin('POST', 'agent/replay/backtest', { candidate })).status).toBe(200);
      expect((await server.admin('POST', 'agent/tools/witness/dry-run', { arguments: { path } })).status).toBe(200);
      return 0;
    },
  };

  it.each(Object.keys(WAYS))('[ARCH-009] no handler is reached before the door has decided: %s', async (path) => {
    const before = reached.length;
    const times = await WAYS[path]!(path);
    expect(reached.slice(before)).toEqual(Array(times).fill({ path, decided: true }));
  });

  const http = () => ({ kind: 'http', description: 'Looks up', inputSchema: { type: 'object' }, requiredCapabilities: ['items:read'], risk: 'read', http: { url: `http://127.0.0.1:${(outside.address() as AddressInfo).port}/` } });

  it('[ARCH-009] no handler is reached before the door has decided: a tool over HTTP', async () => {
    await server.admin('PUT', 'agent/tools/lookup', http());
    const runId = await open();
    for (let n = 0; n < 2; n++) expect((await call(runId, 'lookup', {})).status).toBe('executed');
    await server.admin('PUT', 'agent/tools/lookup', { enabled: false });
    expect((await call(runId, 'lookup', {})).status).toBe('denied');
    expect(reached.filter(({ path }) => path === 'lookup')).toEqual(Array(2).fill({ path: 'lookup', decided: true }));
  });

  it('[ARCH-009] no handler is reached before the door has decided: a tool of an MCP server', async () => {
    const imported = await server.admin('POST', 'agent/tools/import/mcp', { server: 'docs', transport: { type: 'http', url: upstream.url } });
    const name = ((await server.admin('GET', 'agent/tools?limit=200')).body.data as Body[]).find(({ kind }) => kind === 'mcp')!.name as string;
    expect([imported.status < 300, name]).toEqual([true, 'docs.search']);
    const runId = await open({}, server.admin);
    const first = (await server.admin('POST', `agent/runs/${runId}/tool-calls`, { tool: name, arguments: {} })).body.data as Body;
    expect(['executed', 'pending_approval']).toContain(first.status);
    expect(reached.filter(({ path }) => path === 'docs.search')).toHaveLength(first.status === 'executed' ? 1 : 0);
    if (first.status === 'pending_approval') await ada('POST', `agent/approvals/${first.approvalId}/decide`, { decision: 'approved' });
    expect(reached.filter(({ path }) => path === 'docs.search')).toEqual([{ path: 'docs.search', decided: true }]);
  });

  it('[ARCH-009] no handler is reached before the door has decided: a tool of a remote worker', async () => {
    const tool = { kind: 'worker', description: 'Renders', inputSchema: { type: 'object' }, requiredCapabilities: ['items:read'], risk: 'read', worker: { leaseMs: 60_000 } };
    await server.admin('PUT', 'agent/tools/render', tool);
    const worker = await server.newKey({ name: 'renderer', kind: 'service', capabilities: ['worker:take', 'items:read'] });
    const poll = () => worker('POST', 'agent/worker/poll', { tools: ['render'], waitMs: 10_000 });
    const called = open().then((runId) => call(runId, 'render', {}, 'r'));
    const taken = (await poll()).body.data as Body;
    await reachedOutside('render');
    expect(await authorised(`stream_id = $1 AND data::jsonb ->> 'callId' = 'r'`, [`run-${taken.runId}`])).toBe(1);
    expect((await worker('POST', `agent/worker/calls/${taken.leaseId}/complete`, { result: { done: true } })).status).toBeLessThan(300);
    expect((await called).status).toBe('executed');
    expect(reached.filter(({ path }) => path === 'render')).toEqual([{ path: 'render', decided: true }]);
  });

  it('[RUN-043] the authorisation is in the log before its handler starts, and the outcome after it ended', async () => {
    const runId = await open();
    const outcomes = async () => (await server.log()).filter(({ stream_id: id, type }: Body) => id === `run-${runId}` && /^ToolCall(Succeeded|Failed)$/.test(type as string)).length;
    const before = reached.length;
    let inside: number | undefined;
    during = async () => {
      inside = await outcomes();
    };
    expect((await call(runId, 'witness', { path: 'in order' })).status).toBe('executed');
    during = undefined;
    expect([reached.slice(before), inside, await outcomes()]).toEqual([[{ path: 'in order', decided: true }], 0, 1]);
  });
});
