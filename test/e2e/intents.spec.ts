import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from './eventually';
import { testServer, type Api, type Body, type TestServer } from './server';

const EVERYTHING = ['items:read', 'items:write', 'items:update', 'intents:read'];

describe('Intents', () => {
  let server: TestServer;
  let admin: Api;
  let writer: Api & { readonly id: string };
  const at = async () => ({ 'x-min-position': String(await server.head()) });

  beforeAll(async () => {
    server = await testServer();
    admin = server.admin;
    writer = await server.newKey({ name: 'writer', capabilities: EVERYTHING, agentRole: 'Writer' });
    await admin('PUT', 'settings', { contentOs: { reconciler: true } });
  });
  afterAll(async () => {
    const verdict = (await server.admin('GET', 'agent/replay/verify')).text.split('\n\n').findLast((sent) => sent.includes('event: verdict'));
    await server.close();
    if (!verdict?.includes('"ok":true')) throw new Error(`The log of this session does not replay: ${verdict?.slice(0, 2_000)}`);
  });

  let collections = 0;
  /** A collection of its own with items, and an intent for it. */
  const governed = async (items: readonly object[], intent: object = {}) => {
    const collection = `posts${++collections}`;
    await admin('POST', 'collections', { name: collection, fields: [{ name: 'title', type: 'text' }, { name: 'body', type: 'longtext' }, { name: 'translations', type: 'json' }] });
    const ids: string[] = [];
    for (const data of items) ids.push((await admin('POST', `items/${collection}`, { data })).body.data.id as string);
    const declared = await admin('POST', 'agent/intents', { name: `Titles of ${collection}`, collection, rules: [{ type: 'required_fields', fields: ['title'] }], schedule: '0 3 1 1 *', ...intent });
    return { collection, ids, declared, id: declared.body.data?.id as string };
  };
  const scan = async (id: string): Promise<Body> => (await admin('POST', `agent/intents/${id}/scan`)).body.data;
  const goalsOf = async (id: string, status = 'open'): Promise<Body[]> =>
    ((await admin('GET', `agent/goals?origin=reconciler&status=${status}&limit=200`, undefined, await at())).body.data as Body[]).filter(({ intentId }) => intentId === id);
  const drifts = async (id: string): Promise<Body[]> => (await admin('GET', `agent/intents/${id}/drifts`, undefined, await at())).body.data;
  const start = async (goal: Body, agent: Api = writer) => agent('POST', `agent/goals/${goal.id}/start`, { agentName: 'writer' });
  const itemOf = (goal: Body) => (goal.driftFingerprint as string).split(':')[1]!;

  it('[INTENT-026] are declared, listed, changed and deleted over REST', async () => {
    const { declared, id, collection } = await governed([{}], { autonomyCap: 2, budget: { maxGoalsPerCycle: 3, maxWritesPerMinute: 30, maxCostUsd: 1 } });
    expect([declared.status, declared.body.data]).toMatchObject([201, { id, collection, status: 'active', autonomyCap: 2, budget: { maxGoalsPerCycle: 3, maxWritesPerMinute: 30, maxCostUsd: 1 }, openDrifts: 0, nextRunAt: expect.stringMatching(/-01-01T03:00:00\.000Z$/) }]);
    const changed = await admin('PATCH', `agent/intents/${id}`, { name: 'Other', schedule: '*/5 * * * *', tz: 'Europe/Berlin' });
    expect([changed.status, changed.body.data]).toMatchObject([200, { name: 'Other', schedule: '*/5 * * * *', tz: 'Europe/Berlin', autonomyCap: 2 }]);
    const list = (await admin('GET', `agent/intents?collection=${collection}`, undefined, await at())).body.data as Body[];
    expect(list).toMatchObject([{ id, name: 'Other' }]);
    expect((await admin('GET', `agent/intents/${id}`)).body.data).toMatchObject({ id, name: 'Other' });
    for (const wrong of [{ schedule: '0 0 31 2 *' }, { schedule: 'often' }, { tz: 'Mars/Base' }, { rules: [] }, { rules: [{ type: 'required_fields', fields: ['nothing'] }] }, { collection: 'posts1' }]) {
      expect([wrong, (await admin('PATCH', `agent/intents/${id}`, wrong)).status]).toEqual([wrong, 422]);
    }
    for (const path of ['', `/${id}`, `/${id}/drifts`]) expect((await writer('GET', `agent/intents${path}`)).status).toBe(200);
    expect((await writer('POST', `agent/intents/${id}/pause`)).status).toBe(403);
    expect((await admin('DELETE', `agent/intents/${id}`)).status).toBe(200);
    expect([(await admin('GET', `agent/intents/${id}`)).status, (await admin('POST', `agent/intents/${id}/scan`)).status]).toEqual([410, 410]);
    expect((await admin('GET', `agent/intents?collection=${collection}`, undefined, await at())).body.data).toEqual([]);
  });

  it('find drifts, and an agent repairs them on a run of its own: then they are resolved', async () => {
    const { collection, ids, id } = await governed([{ title: 'Hello' }, { body: 'x' }, {}], { autonomyCap: 2, budget: { maxGoalsPerCycle: 5, maxWritesPerMinute: 30 } });
    expect(await scan(id)).toMatchObject({ status: 'finished', cycle: 1, scanned: 3, found: 2, goals: 2, open: 2, complete: true });
    expect((await drifts(id)).map(({ itemId, status, ruleType }) => [itemId, status, ruleType] as unknown)).toEqual(expect.arrayContaining([[ids[1], 'assigned', 'required_fields'], [ids[2], 'assigned', 'required_fields']]));
    expect(await scan(id)).toMatchObject({ found: 0, goals: 0, open: 2 });
    const goals = await goalsOf(id);
    expect(goals).toMatchObject([{ agentRole: 'Writer', status: 'open', runId: null, autonomyCap: 2 }, { agentRole: 'Writer', status: 'open' }]);
    for (const goal of goals) {
      const started = await start(goal);
      expect([started.status, started.body.data]).toMatchObject([201, { goalId: goal.id, goalStatus: 'running', runStatus: 'running' }]);
      expect((await start(goal)).body).toMatchObject({ code: 'CONFLICT' });
      const { runId } = started.body.data as { runId: string };
      expect((await writer('GET', `agent/runs/${runId}`)).body.data.envelope).toMatchObject({ autonomyCap: 2, budget: { maxWritesPerMinute: 30 }, principalId: writer.id, agentRole: 'Writer' });
      const call = await writer('POST', `agent/runs/${runId}/tool-calls`, { tool: 'updateItem', arguments: { collection, id: itemOf(goal), data: { title: 'Repaired' } } });
      expect(call.body.data).toMatchObject({ status: 'executed' });
      expect((await writer('POST', `agent/runs/${runId}/complete`, {})).status).toBe(200);
    }
    expect(await eventually(() => drifts(id), (rows) => rows.every(({ status }) => status === 'resolved'))).toMatchObject([{ status: 'resolved', resolution: 'repaired' }, { status: 'resolved', resolution: 'repaired' }]);
    expect((await admin('GET', `agent/intents/${id}`)).body.data).toMatchObject({ openDrifts: 0, failures: 0 });
  });

  it('[INTENT-015] break when three goals failed in a row: error, one incident that people are told of, and nothing more until somebody resumes them', async () => {
    const { id } = await governed([{}, {}, {}, {}]);
    await scan(id);
    const goals = await goalsOf(id);
    for (const goal of goals.slice(0, 3)) {
      const { runId } = (await start(goal)).body.data as { runId: string };
      await writer('POST', `agent/runs/${runId}/fail`, { reason: 'I do not know its title' });
    }
    expect((await eventually(async () => (await admin('GET', `agent/intents/${id}`)).body.data as Body, ({ status }) => status === 'error')).status).toBe('error');
    const incidents = ((await admin('GET', 'agent/incidents', undefined, await at())).body.data as Body[]).filter(({ source }) => source === 'breaker');
    expect(incidents).toMatchObject([{ status: 'open', severity: 'medium', detail: expect.stringContaining(id) }]);
    const told = (await admin('GET', 'notifications?kind=incident', undefined, await at())).body.data as Body[];
    expect(told).toMatchObject([{ id: incidents[0]!.id, title: 'Incident of severity medium: breaker' }]);
    expect(await scan(id)).toEqual({ status: 'skipped', reason: 'error', opensAt: null });
    expect((await admin('POST', `agent/intents/${id}/resume`)).body.data).toMatchObject({ status: 'active', failures: 0 });
    expect(await scan(id)).toMatchObject({ status: 'finished', goals: 3 });
  });

  it('[DOOR-012] [RUN-014] have the calls of their runs deferred outside their maintenance window, and the runs go on', async () => {
    const { collection, ids, id } = await governed([{}]);
    await scan(id);
    const [goal] = await goalsOf(id);
    const { runId } = (await start(goal)).body.data as { runId: string };
    const [hour, day] = [new Date().getUTCHours(), new Date().getUTCDay()];
    const clock = (of: number) => `${String(of % 24).padStart(2, '0')}:00`;
    // An hour that begins ten hours from now: shut, at whatever time this runs.
    const window = { tz: 'UTC', windows: [{ dow: (hour + 10 >= 24 ? day + 1 : day) % 7, start: clock(hour + 10), end: clock(hour + 11) }] };
    expect((await admin('PATCH', `agent/intents/${id}`, { maintenanceWindow: window })).status).toBe(200);
    const update = { tool: 'updateItem', arguments: { collection, id: ids[0], data: { title: 'Late' } }, callId: `call_${'1'.repeat(32)}` };
    const deferred = (await writer('POST', `agent/runs/${runId}/tool-calls`, update)).body.data;
    expect(deferred).toMatchObject({ status: 'deferred', reason: 'outside_maintenance_window', rule: 'maintenance_window' });
    expect(deferred.retryAfterMs).toBeGreaterThan(8.9 * 3_600_000);
    expect(deferred.retryAfterMs).toBeLessThanOrEqual(10 * 3_600_000);
    expect((await writer('GET', `agent/runs/${runId}`, undefined, await at())).body.data).toMatchObject({ status: 'running', stopReason: null });
    expect(await scan(id)).toMatchObject({ status: 'skipped', reason: 'outside_maintenance_window', opensAt: expect.stringContaining(`T${clock(hour + 10)}:00.000Z`) });
    await admin('PATCH', `agent/intents/${id}`, { maintenanceWindow: null });
    expect((await writer('POST', `agent/runs/${runId}/tool-calls`, update)).body.data).toMatchObject({ status: 'executed' });
  });

  it('[KILL-003] are paused by the kill switch, and no further goals arise from them', async () => {
    const { id } = await governed([{}, {}], { budget: { maxGoalsPerCycle: 1 } });
    await scan(id);
    expect((await admin('POST', 'agent/kill-switch', { scope: 'intent', targetId: id })).status).toBe(200);
    expect((await admin('GET', `agent/intents/${id}`)).body.data).toMatchObject({ status: 'paused', nextRunAt: null });
    expect(await scan(id)).toMatchObject({ status: 'skipped', reason: 'paused' });
    expect((await admin('POST', `agent/intents/${id}/resume`)).body.code).toBe('FROZEN');
    const [goal] = await goalsOf(id);
    expect((await start(goal)).body.code).toBe('FROZEN');
    await admin('POST', 'agent/kill-switch/lift', { scope: 'intent', targetId: id });
    expect((await admin('GET', `agent/intents/${id}`)).body.data.status).toBe('active');
    expect(await scan(id)).toMatchObject({ status: 'finished', goals: 1 });
  });

  it('[CONTENT-017] [CONTENT-018] have people\'s edits pinned while they are active, and then no agent writes over them', async () => {
    const { collection, ids, id } = await governed([{}, {}]);
    const pins = async (itemId: string) => ((await admin('GET', `items/${collection}/${itemId}/pins`)).body.data as Body[]).map(({ field }) => field as string);
    await scan(id);
    await admin('PATCH', `items/${collection}/${ids[0]}`, { data: { title: 'By hand', body: 'Mine' } });
    expect((await pins(ids[0]!)).toSorted()).toEqual(['body', 'title']);
    const goal = (await goalsOf(id)).find((each) => itemOf(each) === ids[0])!;
    const { runId } = (await start(goal)).body.data as { runId: string };
    const call = await writer('POST', `agent/runs/${runId}/tool-calls`, { tool: 'updateItem', arguments: { collection, id: ids[0], data: { title: 'Better' } } });
    expect(call.body.data).toMatchObject({ status: 'denied', reason: 'pinned_by_human' });
    await admin('POST', `agent/intents/${id}/pause`, { reason: 'Editing by hand' });
    await admin('PATCH', `items/${collection}/${ids[1]}`, { data: { title: 'By hand' } });
    expect(await pins(ids[1]!)).toEqual([]);
    await admin('POST', `agent/intents/${id}/resume`);
    await admin('PATCH', `items/${collection}/${ids[1]}`, { data: { title: 'By hand again' } });
    expect(await pins(ids[1]!)).toEqual(['title']);
  });

  it('run by themselves when their time has come', async () => {
    const { id } = await governed([{}], { schedule: '* * * * *' });
    // Nobody waits for the next minute: the row of the schedule is made due.
    const due = async () => (await server.pool.query<Body>(`UPDATE deadline SET due_ms = due_ms - 120000, next_ms = next_ms - 120000 WHERE scheduler = 'intent-cycles' AND key = $1`, [id])).rowCount;
    expect(await eventually(due, (count) => count === 1)).toBe(1);
    expect(await eventually(() => goalsOf(id), ({ length }) => length > 0)).toHaveLength(1);
    const started = (await server.log()).find(({ type, stream_id: stream }: Body) => type === 'DriftScanStarted' && stream === `intent-${id}`)!;
    expect(started).toMatchObject({ data: { trigger: 'schedule', cycle: 1 }, metadata: { actor: { kind: 'service', id: 'reconciler' } } });
    await admin('POST', `agent/intents/${id}/pause`);
  });

  it('are not compiled without a language model', async () => {
    const { collection } = await governed([]);
    const before = await server.head();
    expect((await admin('POST', 'agent/intents/compile', { description: 'Every post has a title', collection })).body).toMatchObject({ code: 'LLM_NOT_CONFIGURED' });
    expect(await server.head()).toBe(before);
  });
});

describe('The compiler of intents', () => {
  let provider: Server;
  let server: TestServer;
  let said: unknown;
  beforeAll(async () => {
    provider = createServer((request, reply) => {
      request.resume().on('end', () => reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices: [{ message: { content: JSON.stringify(said) } }] })));
    });
    await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening));
    server = await testServer({ LLM_BASE_URL: `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1`, LLM_MODEL: 'small', LLM_API_KEY: 'sk-of-the-provider' });
  });
  afterAll(async () => {
    await server.close();
    await new Promise((closed) => provider.close(closed));
  });

  it('[INTENT-027] returns rules and warnings and activates nothing', async () => {
    said = { rules: [{ type: 'required_fields', fields: ['title'] }, { type: 'required_fields', fields: ['nothing'] }], warnings: ['Pictures cannot be judged.'] };
    const before = await server.head();
    const answer = await server.admin('POST', 'agent/intents/compile', { description: 'Every product has a title', collection: 'products' });
    expect([answer.status, answer.body.data]).toEqual([
      200, { collection: 'products', rules: [{ type: 'required_fields', fields: ['title'] }], warnings: ['Pictures cannot be judged.', 'Rule 2 was left out: The collection has no field nothing'] },
    ]);
    expect([await server.head(), (await server.admin('GET', 'agent/intents')).body.data]).toEqual([before, []]);
    const declared = await server.admin('POST', 'agent/intents', { name: 'Titles', collection: 'products', rules: answer.body.data.rules });
    expect([declared.status, declared.body.data.rules]).toEqual([201, answer.body.data.rules]);
  });

  it('answers 502 when the model does not answer with rules', async () => {
    said = 'Certainly! Here are some rules.';
    const answer = await server.admin('POST', 'agent/intents/compile', { description: 'x', collection: 'products' });
    expect([answer.status, answer.body.code]).toEqual([502, 'LLM_INVALID_JSON']);
    expect(answer.text).not.toContain('sk-of-the-provider');
  });
});
