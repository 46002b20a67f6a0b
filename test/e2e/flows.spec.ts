import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../../apps/gateway/src/config';
import { startServer } from '../../apps/gateway/src/server';
import { CountingServer } from './counting-server';
import { eventually } from './eventually';
import { testServer, type Api, type Body, type TestServer } from './server';

const create = (sku: string) => ({ do: 'run-skill', tool: 'createItem', arguments: { collection: 'products', data: { sku, title: sku } } });
/** The same in every process, as it has to be. */
const ENVIRONMENT = { HARNESS_PROMOTION_CHECK_CRON: '* * * * * *', HARNESS_MASTER_KEY: 'cd'.repeat(32) };
const NEVER = { on: 'event', types: ['SiteCreated'] };

describe('Flows', () => {
  let server: TestServer;
  let admin: Api;
  let outside: CountingServer;

  beforeAll(async () => {
    outside = await CountingServer.start();
    server = await testServer(ENVIRONMENT);
    ({ admin } = server);
  });
  afterAll(async () => {
    await server.close();
    await outside.close();
  });

  const define = async (flow: Record<string, unknown>, by = admin): Promise<Body> => {
    const answer = await by('POST', 'agent/flows', { name: 'A flow', trigger: NEVER, operations: [create('X')], capabilities: ['items:write'], ...flow });
    if (answer.status !== 201) throw new Error(answer.text);
    return answer.body.data as Body;
  };
  const flowNow = async (id: string) => (await admin('GET', `agent/flows/${id}`)).body.data as Body;
  const lastRun = async (id: string, before?: string) =>
    (await eventually(() => flowNow(id), ({ lastRun: last, running }) => last !== null && running === null && last.occurrenceId !== before)).lastRun as Body;
  const runByHand = async (id: string) => {
    const before = (await flowNow(id)).lastRun?.occurrenceId as string | undefined;
    const started = await admin('POST', `agent/flows/${id}/run`);
    expect([started.status, started.body.data]).toMatchObject([201, { flowId: id, cause: 'manual' }]);
    return lastRun(id, before);
  };
  const streamOf = async (streamId: string) => (await server.log()).filter((event: Body) => event.stream_id === streamId) as Body[];

  it('[FLOW-001] [FLOW-004] are listed, made, changed, deleted and run over REST', async () => {
    const made = await define({ name: 'Nightly', trigger: { on: 'cron', expression: '0 2 * * *', tz: 'Europe/Berlin' } });
    expect(made).toMatchObject({ name: 'Nightly', enabled: true, operations: [create('X')], capabilities: ['items:write'], running: null, lastRun: null });
    expect(new Date(made.nextRunAt as string).getTime()).toBeGreaterThan(Date.now());
    const position = await server.head();
    const listed = (await admin('GET', `agent/flows?minPosition=${position}`)).body.data as Body[];
    expect(listed).toEqual([made]);
    const changed = await admin('PUT', `agent/flows/${made.id as string}`, { name: 'On items', trigger: { on: 'event', types: ['ItemDeleted'] } });
    expect([changed.status, changed.body.data]).toMatchObject([200, { id: made.id, name: 'On items', nextRunAt: null, operations: [create('X')] }]);
    expect(await runByHand(made.id as string)).toMatchObject({ status: 'succeeded', reason: null, results: [{ operation: 'run-skill', tool: 'createItem', status: 'executed' }] });
    expect((await admin('DELETE', `agent/flows/${made.id as string}`)).body.data).toEqual({ id: made.id, deleted: true });
    for (const [method, path] of [['GET', ''], ['PUT', ''], ['DELETE', ''], ['POST', '/run']] as const) {
      expect((await admin(method, `agent/flows/${made.id as string}${path}`, method === 'PUT' ? { enabled: false } : undefined)).status).toBe(410);
    }
    expect((await admin('GET', `agent/flows?minPosition=${await server.head()}`)).body.data).toEqual([]);
  });

  it('are refused when they cannot be kept, and to those who may not', async () => {
    const post = (body: object, by = admin) => by('POST', 'agent/flows', { name: 'A flow', trigger: NEVER, operations: [create('X')], capabilities: [], ...body });
    const impossible = await post({ trigger: { on: 'cron', expression: '0 0 31 2 *' } });
    expect([impossible.status, impossible.body.errors ?? impossible.body.facts?.errors]).toMatchObject([422, [{ pointer: '/trigger' }]]);
    expect((await post({ operations: [{ do: 'webhook', tool: 'createItem' }] })).status).toBe(422);
    expect((await post({ operations: [] })).status).toBe(422);
    const weak = await server.newKey({ kind: 'human', capabilities: ['flows:write', 'flows:read'] });
    expect((await post({ capabilities: ['items:delete'] }, weak)).status).toBe(403);
    const strong = await define({ capabilities: ['items:delete', 'items:write'] });
    expect((await weak('PUT', `agent/flows/${strong.id as string}`, { operations: [create('Mine')] })).status).toBe(403);
    expect((await weak('POST', `agent/flows/${strong.id as string}/run`)).status).toBe(403);
    const nobody = await server.newKey({ kind: 'human', capabilities: ['items:read'] });
    expect((await nobody('GET', 'agent/flows')).status).toBe(403);
  });

  it('[FLOW-003] pass the door under their own principal: what it does not hold is denied, and nothing behind that is tried', async () => {
    const flow = await define({ operations: [create('F-1'), { do: 'run-skill', tool: 'createCollection', arguments: { name: 'secret', fields: [{ name: 'a', type: 'text' }] } }, create('F-2')] });
    const ran = await runByHand(flow.id as string);
    expect(ran).toMatchObject({
      status: 'failed', reason: 'run-skill was denied: capability_missing',
      results: [{ tool: 'createItem', status: 'executed', reason: null }, { tool: 'createCollection', status: 'denied', reason: 'capability_missing' }],
    });
    const [goal, run] = [await streamOf(`goal-${ran.goalId as string}`), await streamOf(`run-${ran.runId as string}`)];
    expect(goal[0]).toMatchObject({ type: 'GoalCreated', data: { origin: 'flow', owner: flow.principalId } });
    expect(goal.at(-1)).toMatchObject({ type: 'GoalSettled', data: { status: 'failed' } });
    expect(run.map(({ type }) => type as string)).toEqual([
      'RunStarted', 'EnvelopeSealed', 'ToolCallAuthorised', 'WritesFlushed', 'ToolCallSucceeded', 'ToolCallDenied', 'RunFailed',
    ]);
    for (const event of run) expect(event.metadata.actor).toEqual({ kind: 'service', id: flow.principalId });
    const [{ data: key }] = (await streamOf(`principal-${flow.principalId as string}`)) as [Body];
    expect(key).toMatchObject({ kind: 'service', capabilities: ['items:write'], roles: [] });
  });

  it('[FLOW-003] wait for a person where the door asks one, and go on when they have decided', async () => {
    const item = (await admin('POST', 'items/products', { data: { sku: 'G-1', title: 'Goes' } })).body.data;
    const flow = await define({ capabilities: ['items:write', 'items:delete'], operations: [{ do: 'run-skill', tool: 'deleteItem', arguments: { collection: 'products', id: item.id } }, create('G-2')] });
    await admin('POST', `agent/flows/${flow.id as string}/run`);
    const [approval] = await eventually(async () => (await server.log()).filter((event: Body) => event.type === 'ApprovalRequested' && event.data.requestedBy.id === flow.principalId) as Body[], (found) => found.length > 0);
    expect((await flowNow(flow.id as string)).running).not.toBeNull();
    expect((await admin('POST', `agent/flows/${flow.id as string}/run`)).status).toBe(409);
    await admin('POST', `agent/approvals/${approval!.data.approvalId as string}/decide`, { decision: 'approved' });
    expect(await lastRun(flow.id as string)).toMatchObject({ status: 'succeeded', results: [{ tool: 'deleteItem', status: 'executed' }, { tool: 'createItem', status: 'executed' }] });
  });

  it('[FLOW-002] [TRUST-023] can scan for drift, check promotions, sweep the veto window, call a webhook and run a skill', async () => {
    await admin('PUT', 'settings', { contentOs: { reconciler: true }, outbound: { allowHosts: [outside.host] }, promotion: { streak: 1, decided: 1, rate: 0 } });
    const { data: intent } = (await admin('POST', 'agent/intents', { name: 'Descriptions', collection: 'products', rules: [{ type: 'required_fields', fields: ['description'] }] })).body;
    const http = { url: `${outside.url}/hook` };
    const registered = await admin('PUT', 'agent/tools/hook', { kind: 'http', description: 'Tells somebody', inputSchema: { type: 'object' }, requiredCapabilities: ['items:read'], risk: 'read', http });
    expect(registered.status).toBe(200);
    const flow = await define({
      capabilities: ['items:read', 'items:write', 'drift:scan', 'autonomy:write', 'staging:sweep'],
      operations: [{ do: 'drift-scan', intentId: intent.id }, { do: 'trust-promote-check' }, { do: 'veto-sweep' }, { do: 'webhook', tool: 'hook', arguments: { text: 'done' } }, create('A-1')],
    });
    const ran = await runByHand(flow.id as string);
    expect(ran).toMatchObject({ status: 'succeeded', results: ['drift-scan', 'trust-promote-check', 'veto-sweep', 'webhook', 'run-skill'].map((operation) => ({ operation, status: 'executed' })) });
    const run = await streamOf(`run-${ran.runId as string}`);
    const resultOf = (callId: string) => run.find(({ type, data }) => type === 'ToolCallSucceeded' && data.callId === callId)?.data.result as Body;
    expect(resultOf('operation-1')).toMatchObject({ status: 'finished' });
    expect(resultOf('operation-2')).toMatchObject({ examined: expect.any(Number), proposed: expect.any(Array) });
    expect(resultOf('operation-3')).toEqual({ tried: 0 });
    expect(outside.received).toMatchObject([{ url: '/hook', body: { arguments: { text: 'done' } } }]);
  });

  it('[FLOW-001] run by their schedule, one occurrence after the other', async () => {
    const flow = await define({ name: 'Every second', trigger: { on: 'cron', expression: '* * * * * *' }, operations: [{ do: 'run-skill', tool: 'listItems', arguments: { collection: 'products' } }], capabilities: ['items:read'] });
    const first = await lastRun(flow.id as string);
    await lastRun(flow.id as string, first.occurrenceId as string);
    await admin('PUT', `agent/flows/${flow.id as string}`, { enabled: false });
    const started = (await streamOf(`flow-${flow.id as string}`)).filter(({ type }) => type === 'FlowStarted') as Body[];
    expect(started.length).toBeGreaterThanOrEqual(2);
    for (const { data, metadata } of started) expect([data.cause, metadata.actor]).toEqual(['cron', { kind: 'service', id: 'flow-schedule' }]);
    expect((await flowNow(flow.id as string)).nextRunAt).toBeNull();
  });

  it('[FLOW-001] run when an event of their types is written, and never because of what flows do themselves', async () => {
    const echo = await define({ name: 'Echo', trigger: { on: 'event', types: ['ItemCreated'] }, operations: [create('ECHO')] });
    const answer = await define({ name: 'Answer', trigger: { on: 'event', types: ['ItemCreated', 'FlowRan', 'RunSucceeded'] }, operations: [create('ANSWER')] });
    await admin('POST', 'items/products', { data: { sku: 'H-1', title: 'By hand' } });
    const [echoed, answered] = [await lastRun(echo.id as string), await lastRun(answer.id as string)];
    expect([echoed.status, answered.status]).toEqual(['succeeded', 'succeeded']);
    await admin('POST', 'items/products', { data: { sku: 'H-2', title: 'By hand' } });
    for (const [flow, before] of [[echo, echoed], [answer, answered]] as const) await lastRun(flow.id as string, before.occurrenceId as string);
    const causes = (await server.log()).filter((event: Body) => event.type === 'FlowStarted' && [echo, answer].some(({ id }) => event.stream_id === `flow-${id as string}`)) as Body[];
    expect(causes.map(({ data }) => data.cause as string)).toEqual(['event', 'event', 'event', 'event']);
    // Whatever their own work could have started would be due by now: the consumer has passed it, and nothing waits.
    const reached = async () => (await server.pool.query<Body>(`SELECT position FROM es_consumer WHERE name = 'flow-triggers'`)).rows[0]?.position as string;
    const head = await server.head();
    await eventually(reached, (position) => BigInt(position) >= head);
    expect((await server.pool.query(`SELECT key FROM deadline WHERE scheduler = 'flows' AND topic LIKE 'event%'`)).rows).toEqual([]);
    for (const { id } of [echo, answer]) await admin('DELETE', `agent/flows/${id as string}`);
  });

  it('[FLOW-003] do every operation once, however many processes drive them', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'harness-flows-'));
    const second = await startServer(readConfig({ DATABASE_URL: server.databaseUrl, PORT: '0', HARNESS_DATA_DIR: dataDir, ...ENVIRONMENT }));
    const operations = [create('ONE'), create('TWO'), create('THREE')];
    const made: Body[] = [];
    for (let nr = 0; nr < 6; nr++) made.push(await define({ name: `Twin ${nr}`, trigger: nr % 2 ? { on: 'cron', expression: '* * * * * *' } : { on: 'event', types: ['ItemPatched'] }, operations }));
    const item = (await admin('POST', 'items/products', { data: { sku: 'P-1', title: 'Patched' } })).body.data;
    await admin('PATCH', `items/products/${item.id as string}`, { data: { title: 'Again' } });
    for (const { id } of made) expect(await lastRun(id as string)).toMatchObject({ status: 'succeeded', reason: null });
    for (const { id } of made) await admin('DELETE', `agent/flows/${id as string}`);
    await second.stop();
    await rm(dataDir, { recursive: true, force: true });
    const log = (await server.log()) as Body[];
    for (const { id, principalId } of made) {
      const ended = log.filter(({ stream_id: stream, type }) => stream === `flow-${id as string}` && type === 'FlowRan');
      const succeeded = ended.filter(({ data }) => data.status === 'succeeded');
      for (const { data } of succeeded) {
        const run = log.filter(({ stream_id: stream }) => stream === `run-${data.runId as string}`);
        expect(run.filter(({ type }) => type === 'ToolCallAuthorised').map((event) => event.data.callId as string)).toEqual(['operation-1', 'operation-2', 'operation-3']);
        expect(run.at(-1)).toMatchObject({ type: 'RunSucceeded' });
      }
      expect(new Set(ended.map(({ data }) => data.occurrenceId as string)).size).toBe(ended.length);
      expect(log.filter(({ type, metadata }) => type === 'ItemCreated' && metadata.actor.id === principalId && succeeded.some(({ data }) => data.runId === metadata.runId)).length).toBe(3 * succeeded.length);
    }
  });

  it('[TRUST-024] trust is looked at by the clock as well, and what was earned is proposed', async () => {
    await admin('PUT', 'settings', { promotion: { streak: 1, decided: 1, rate: 0 } });
    const task = { skillName: 'createItem', arguments: { collection: 'products', data: { sku: 'T-1', title: 'Earned' } } };
    const goal = (await admin('POST', 'agent/goals', { title: 'Earn', agentName: 'robot', agentRole: 'Writer', approvalPolicy: 'before_execute', task })).body.data;
    await admin('POST', `agent/approvals/${goal.result.approvalId as string}/decide`, { decision: 'approved' });
    const proposed = await eventually(async () => (await server.log()).filter((event: Body) => event.type === 'PromotionProposed') as Body[], (found) => found.length > 0);
    expect(proposed[0]).toMatchObject({ data: { agentRole: 'Writer', capability: 'items:write', siteId: 'site_demo' }, metadata: { actor: { kind: 'service', id: 'promotion-check' } } });
  });
});
