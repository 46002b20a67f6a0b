import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { skill } from '@app/skills';
import { sentEvents, testServer, type Api, type Body, type TestServer } from './server';

const ran: string[] = [];
const failing = skill('breakThings', {
  description: 'Always fails.', input: z.strictObject({}), capability: 'items:update', risk: 'write', run: () => Promise.reject(new Error('The press is jammed')),
});
const slow = skill('waitForever', {
  description: 'Never answers.', input: z.strictObject({}), capability: 'items:update', risk: 'write', run: () => new Promise(() => undefined),
});
const noted = skill('note', {
  description: 'Notes a word.', input: z.strictObject({ word: z.string() }), capability: 'items:update', risk: 'write',
  run: ({ word }) => {
    ran.push(word);
    return Promise.resolve({ ok: true as const, data: { word }, position: 0n });
  },
});
const drawn = skill('draw', {
  description: 'Makes an artifact of a size.', input: z.strictObject({ bytes: z.int() }), capability: 'items:update', risk: 'write',
  run: ({ bytes }) => Promise.resolve({ ok: true as const, data: 'x'.repeat(bytes), position: 0n }),
});

describe('The first governed job', () => {
  let server: TestServer;
  let agent: Api & { readonly id: string };
  let reviewer: Api & { readonly id: string };

  beforeAll(async () => {
    server = await testServer({}, [failing, slow, noted, drawn]);
    agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:update', 'items:delete', 'schema:read', 'schema:create', 'schema:update'] });
    reviewer = await server.newKey({ name: 'Ada', kind: 'human', capabilities: ['approvals:decide', 'items:read'] });
    await server.admin('PUT', 'agent/tools/waitForever', { timeoutMs: 40 });
    await server.admin('PUT', 'agent/tools/draw', { artifact: true });
  });
  afterAll(() => server.close());

  const open = async (more: Record<string, unknown> = {}) => {
    const { data } = (await agent('POST', 'agent/goals', { title: 'Tidy up', agentName: 'robot', ...more })).body;
    const runId = data.runId as string;
    return { runId, goalId: data.goalId as string, call: async (tool: string, args: unknown = {}, callId?: string): Promise<Body> => (await agent('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: args, ...(callId !== undefined && { callId }) })).body };
  };
  const eventsOf = async (runId: string) => (await server.log()).filter((event: Body) => event.stream_id === `run-${runId}`);
  const newItem = async (call: Awaited<ReturnType<typeof open>>['call'], title = 'A thing') =>
    (await call('createItem', { collection: 'products', data: { sku: 'T-1', title } })).data.result.id as string;

  it('[GOAL-003] opens an external run for a goal without a task', async () => {
    const answer = await agent('POST', 'agent/goals', { title: 'Look around', agentName: 'robot' });
    expect([answer.status, answer.body.data]).toEqual([201, {
      goalId: expect.stringMatching(/^goal_[0-9a-f]{32}$/), runId: expect.stringMatching(/^run_[0-9a-f]{32}$/), goalStatus: 'running', runStatus: 'running',
    }]);
    const { kind } = (await agent('GET', `agent/runs/${answer.body.data.runId}`)).body.data;
    expect(kind).toBe('external');
  });

  it('[GOAL-002] [RUN-012] runs a task inside the request by default', async () => {
    const answer = await agent('POST', 'agent/goals', { title: 'List', agentName: 'robot', task: { skillName: 'listCollections', arguments: {} } });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({ goalStatus: 'completed', runStatus: 'succeeded', result: { status: 'executed', result: { rows: [{ name: 'products' }] } } });
    expect((await agent('GET', `agent/runs/${answer.body.data.runId}`)).body.data).toMatchObject({ status: 'succeeded', stopReason: 'completed' });
  });

  it.each([
    ['an unknown execution', { execution: 'soon' }],
    ['an unknown key', { mood: 'good' }],
    ['an unknown budget', { budget: { maxFun: 1 } }],
    ['a level beyond the scale', { autonomyCap: 5 }],
    ['an unknown policy', { approvalPolicy: 'always' }],
    ['a task without a skill', { task: { arguments: {} } }],
    ['an unknown context', { context: { tables: [] } }],
    ['an intent that is no id', { intentId: 'later' }],
  ])('[GOAL-001] refuses %s and writes nothing', async (_name, wrong) => {
    const before = await server.head();
    const answer = await agent('POST', 'agent/goals', { title: 'x', agentName: 'robot', ...wrong });
    expect([answer.status, answer.body.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(await server.head()).toBe(before);
  });

  it('[GOAL-001] takes every field of the contract', async () => {
    const answer = await agent('POST', 'agent/goals', {
      title: 'All', agentName: 'robot', agentRole: 'Writer', execution: 'sync', task: { skillName: 'listItems', arguments: { collection: 'products' } },
      budget: { maxToolCalls: 3, maxCostUsd: 1, timeoutMs: 5_000, maxArtifactBytes: 10 }, autonomyCap: 2, intentId: `int_${'0'.repeat(32)}`, approvalPolicy: 'none',
      context: { collections: ['products'] },
    });
    expect(answer.status).toBe(201);
    const { goalId, runId } = answer.body.data;
    expect((await agent('GET', `agent/goals/${goalId}`)).body.data).toMatchObject({ agentRole: 'Writer', autonomyCap: 2, intentId: `int_${'0'.repeat(32)}` });
    expect((await agent('GET', `agent/runs/${runId}`)).body.data.envelope).toMatchObject({ budget: { maxToolCalls: 3 }, context: { collections: ['products'] } });
  });

  it('[GOAL-010] [GOAL-011] shows a goal with origin, lineage, limits and owner', async () => {
    const { goalId } = await open({ autonomyCap: 3 });
    const { data } = (await agent('GET', `agent/goals/${goalId}`)).body;
    expect(data).toEqual({
      id: goalId, siteId: 'site_demo', title: 'Tidy up', status: 'running', reason: null, origin: 'user', runId: expect.any(String), agentName: 'robot', agentRole: null,
      parentGoalId: null, intentId: null, driftFingerprint: null, autonomyCap: 3, priority: 0, deadline: null, owner: agent.id, acceptance: null, createdAt: expect.any(String),
    });
    expect((await agent('GET', 'agent/goals?origin=nobody')).status).toBe(422);
    for (const origin of ['user', 'planner', 'reconciler', 'flow']) expect((await agent('GET', `agent/goals?origin=${origin}`)).status).toBe(200);
  });

  it('[GOAL-012] [RUN-026] lists goals and runs of the site with filters', async () => {
    const { goalId, runId, call } = await open();
    await call('getItem', { collection: 'products', id: 'none' });
    const done = await agent('POST', `agent/runs/${runId}/fail`, { reason: 'Enough' });
    const at = { 'x-min-position': done.body.position as string };
    const failed = (await agent('GET', 'agent/goals?status=failed', undefined, at)).body.data as Body[];
    expect(failed.map(({ id }) => id)).toContain(goalId);
    expect(new Set(failed.map(({ status }) => status))).toEqual(new Set(['failed']));
    const ofGoal = (await agent('GET', `agent/runs?goalId=${goalId}`, undefined, at)).body.data as Body[];
    expect(ofGoal.map(({ id, status, reason, siteId }) => [id, status, reason, siteId])).toEqual([[runId, 'failed', 'Enough', 'site_demo']]);
    expect((await agent('GET', `agent/runs?status=succeeded&goalId=${goalId}`, undefined, at)).body.data).toEqual([]);
  });

  it('[RUN-001] seals an envelope', async () => {
    const { runId, goalId } = await open({ approvalPolicy: 'before_execute' });
    const sealed = (await eventsOf(runId)).find((event: Body) => event.type === 'EnvelopeSealed').data.envelope as Body;
    expect(sealed).toMatchObject({
      goalId, runId, agentName: 'robot', context: { siteId: 'site_demo', collections: [], policySnapshotHash: expect.stringMatching(/^[0-9a-f]{64}$/) },
      budget: { maxToolCalls: 20 }, risk: 'safe', approvalPolicy: 'before_execute', artifacts: [],
    });
    expect((await agent('GET', `agent/runs/${runId}`)).body.data.envelope).toEqual(sealed);
  });

  it('[DOOR-009] [RUN-056] executes a safe call at once', async () => {
    const { call, runId } = await open();
    const answer = await agent('POST', `agent/runs/${runId}/tool-calls`, { tool: 'createItem', arguments: { collection: 'products', data: { sku: 'S-1', title: 'Safe' } } });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ callId: expect.stringMatching(/^call_[0-9a-f]{32}$/), status: 'executed', autonomy: 2, governanceVersion: expect.any(Number), result: { data: { title: 'Safe' }, version: 1 } });
    const read = await call('getItem', { collection: 'products', id: answer.body.data.result.id });
    expect(read.data.result.data.title).toBe('Safe');
    expect((await eventsOf(runId)).map((event: Body) => event.type)).toEqual(['RunStarted', 'EnvelopeSealed', 'ToolCallAuthorised', 'ToolCallSucceeded', 'ToolCallAuthorised', 'ToolCallSucceeded']);
  });

  it('[DOOR-010] [APPR-005] holds a dangerous call for a person', async () => {
    const { call, runId } = await open();
    const id = await newItem(call);
    const asked = await call('deleteItem', { collection: 'products', id });
    expect(asked.data).toMatchObject({ status: 'pending_approval', approvalId: expect.stringMatching(/^appr_/), actionDigest: expect.stringMatching(/^[0-9a-f]{64}$/), autonomy: 1 });
    expect((await agent('GET', `agent/runs/${runId}`)).body.data).toMatchObject({ status: 'awaiting_approval', approvals: [asked.data.approvalId] });
    const pending = (await reviewer('GET', 'agent/approvals?status=pending', undefined, { 'x-min-position': asked.position as string })).body.data as Body[];
    expect(pending.find((each) => each.id === asked.data.approvalId)).toMatchObject({ tool: 'deleteItem', runId, status: 'pending', arguments: { id }, domain: 'items' });
    expect((await agent('GET', `items/products/${id}`)).status).toBe(200);
  });

  it('[APPR-006] shows what an action would change', async () => {
    const { call } = await open();
    const id = await newItem(call, 'Before');
    const asked = await call('deleteItem', { collection: 'products', id });
    const { data } = (await reviewer('GET', `agent/approvals/${asked.data.approvalId}`)).body;
    expect(data).toMatchObject({ status: 'pending', actionDigest: asked.data.actionDigest, diff: expect.arrayContaining([{ path: 'title', before: 'Before', after: null }]) });
  });

  it('[APPR-007] [APPR-008] [APPR-010] [APPR-011] runs only the stored call when a person approves', async () => {
    const { call, runId } = await open();
    await call('note', { word: 'once' });
    const id = await newItem(call);
    const asked = await call('deleteItem', { collection: 'products', id });
    const decided = await reviewer('POST', `agent/approvals/${asked.data.approvalId}/decide`, { decision: 'approved', reason: 'A leftover', actionDigest: asked.data.actionDigest });
    expect([decided.status, decided.body.data]).toMatchObject([200, { approvalId: asked.data.approvalId, status: 'approved', call: { callId: asked.data.callId, status: 'executed', result: { deleted: true, id } } }]);
    const events = await server.log();
    const approved = events.find((event: Body) => event.stream_id === `approval-${asked.data.approvalId}` && event.type === 'ApprovalApproved');
    expect(approved).toMatchObject({ data: { by: { kind: 'human', id: reviewer.id }, reason: 'A leftover', decidedAt: expect.any(String) }, metadata: { actor: { id: reviewer.id } } });
    const ofRun = (await eventsOf(runId)).filter((event: Body) => event.type === 'ToolCallAuthorised').map((event: Body) => event.data);
    expect(ofRun.map((data: Body) => data.tool)).toEqual(['note', 'createItem', 'deleteItem']);
    expect(ofRun[2]).toMatchObject({ approvalId: asked.data.approvalId, arguments: { collection: 'products', id }, actionDigest: asked.data.actionDigest });
    expect(ran.filter((word) => word === 'once')).toHaveLength(1);
    expect((await agent('GET', `items/products/${id}`)).status).toBe(410);
    expect((await agent('GET', `agent/runs/${runId}`)).body.data.status).toBe('running');
  });

  it('[APPR-007] sends a refusal back with its reason and keeps the thing', async () => {
    const { call, runId } = await open();
    const id = await newItem(call);
    const first = await call('deleteItem', { collection: 'products', id });
    const silent = await reviewer('POST', `agent/approvals/${first.data.approvalId}/decide`, { decision: 'rejected' });
    expect([silent.status, silent.body.code]).toEqual([422, 'VALIDATION_FAILED']);
    const no = await reviewer('POST', `agent/approvals/${first.data.approvalId}/decide`, { decision: 'rejected', reason: 'Still sold' });
    expect(no.body.data).toMatchObject({ status: 'rejected', call: { status: 'denied', reason: 'rejected', facts: { reason: 'Still sold' } } });
    const second = await call('deleteItem', { collection: 'products', id }, 'again');
    const later = await reviewer('POST', `agent/approvals/${second.data.approvalId}/decide`, { decision: 'changes_requested', reason: 'Archive it instead' });
    expect(later.body.data.call).toMatchObject({ status: 'denied', reason: 'changes_requested', facts: { reason: 'Archive it instead' } });
    expect((await agent('GET', `agent/runs/${runId}`)).body.data.status).toBe('running');
    expect((await agent('GET', `items/products/${id}`)).status).toBe(200);
  });

  it('decides an approval once, and tells the second who was first', async () => {
    const { call } = await open();
    const asked = await call('deleteItem', { collection: 'products', id: await newItem(call) });
    const both = await Promise.all([1, 2].map(() => reviewer('POST', `agent/approvals/${asked.data.approvalId}/decide`, { decision: 'approved' })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)!.body).toMatchObject({ code: 'ALREADY_DECIDED', facts: { by: reviewer.id } });
  });

  it('runs nothing when the tool changed after the reviewer looked', async () => {
    const { call } = await open();
    const id = await newItem(call);
    const asked = await call('deleteItem', { collection: 'products', id });
    await server.admin('PUT', 'agent/tools/deleteItem', { description: `Deletes one item. ${asked.data.callId}` });
    const decided = await reviewer('POST', `agent/approvals/${asked.data.approvalId}/decide`, { decision: 'approved' });
    expect([decided.status, decided.body.code]).toEqual([409, 'ACTION_CHANGED']);
    expect((await agent('GET', `items/products/${id}`)).status).toBe(200);
  });

  it('lets no agent decide, and nobody without the capability', async () => {
    const { call } = await open();
    const asked = await call('deleteItem', { collection: 'products', id: await newItem(call) });
    const robot = await server.newKey({ kind: 'agent', capabilities: ['approvals:decide'] });
    const stranger = await server.newKey({ kind: 'human', capabilities: ['items:read'] });
    for (const key of [robot, stranger]) {
      expect((await key('POST', `agent/approvals/${asked.data.approvalId}/decide`, { decision: 'approved' })).body.code).toBe('FORBIDDEN');
    }
  });

  it('[RUN-046] answers a repeated callId from the record', async () => {
    const { call } = await open();
    const [first, second] = await Promise.all([call('note', { word: 'twice?' }, 'c-1'), call('note', { word: 'twice?' }, 'c-1')]);
    expect(second.data).toEqual(first.data);
    expect((await call('note', { word: 'twice?' }, 'c-1')).data).toEqual(first.data);
    expect(ran.filter((word) => word === 'twice?')).toHaveLength(1);
    expect(await call('note', { word: 'other' }, 'c-1')).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  });

  it('shows one card for a repeated request of an identical action that waits', async () => {
    const { call } = await open();
    const args = { collection: 'products', id: await newItem(call) };
    const first = await call('deleteItem', args);
    expect((await call('deleteItem', args)).data).toMatchObject({ callId: first.data.callId, approvalId: first.data.approvalId });
    expect((await call('deleteItem', args, 'another')).data.approvalId).not.toBe(first.data.approvalId);
  });

  it('[RUN-057] [RUN-058] answers failed with the error when a handler throws or is late', async () => {
    const { call } = await open();
    expect((await call('breakThings')).data).toMatchObject({ status: 'failed', reason: 'The press is jammed' });
    expect((await call('waitForever')).data).toMatchObject({ status: 'failed', reason: 'The tool did not answer within 40 ms', rule: 'timeout' });
    const { ToolCallAnswer } = await import('@app/tool-calls/contract');
    expect(ToolCallAnswer.shape.status.options).toEqual(['executed', 'pending_approval', 'staged', 'deferred', 'denied', 'failed', 'indeterminate']);
  });

  it('[RUN-016] fails a task run whose tool failed', async () => {
    const answer = await agent('POST', 'agent/goals', { title: 'x', agentName: 'robot', task: { skillName: 'breakThings' } });
    expect(answer.body.data).toMatchObject({ goalStatus: 'failed', runStatus: 'failed', result: { status: 'failed' } });
    expect((await agent('GET', `agent/runs/${answer.body.data.runId}`)).body.data.stopReason).toBe('tool_failed');
  });

  it('[DOOR-013] [DOOR-014] records every denial and answers it with 200', async () => {
    const { runId } = await open();
    const asked = [['nope', {}, 'tool_not_registered'], ['getItem', { id: 3 }, 'invalid_arguments']] as const;
    for (const [tool, args, reason] of asked) {
      const answer = await agent('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: args });
      expect([answer.status, answer.body.data]).toMatchObject([200, { status: 'denied', reason, rule: expect.any(String), governanceVersion: expect.any(Number) }]);
    }
    const denials = (await eventsOf(runId)).filter((event: Body) => event.type === 'ToolCallDenied');
    expect(denials.map((event: Body) => [event.data.reason, typeof event.data.rule, typeof event.data.governanceVersion])).toEqual([
      ['tool_not_registered', 'string', 'number'], ['invalid_arguments', 'string', 'number'],
    ]);
  });

  it('[RUN-059] refuses a call on a finished run', async () => {
    const { call, runId } = await open();
    await agent('POST', `agent/runs/${runId}/complete`, { result: { n: 1 } });
    expect(await call('note', { word: 'late' })).toMatchObject({ status: 409, code: 'RUN_TERMINAL', facts: { runStatus: 'succeeded', stopReason: 'completed' } });
  });

  it('supersedes the open approvals of a run that ends', async () => {
    const { call, runId } = await open();
    const asked = await call('deleteItem', { collection: 'products', id: await newItem(call) });
    await agent('POST', `agent/runs/${runId}/complete`, {});
    const late = await reviewer('POST', `agent/approvals/${asked.data.approvalId}/decide`, { decision: 'approved' });
    expect([late.status, late.body]).toMatchObject([409, { code: 'ALREADY_DECIDED', facts: { status: 'superseded' } }]);
    expect((await reviewer('GET', `agent/approvals/${asked.data.approvalId}`)).body.data.status).toBe('superseded');
  });

  it.each([
    ['budget_tool_calls', { maxToolCalls: 1 }, 2],
    ['budget_timeout', { timeoutMs: 0 }, 1],
  ])('ends a run with %s', async (stopReason, budget, calls) => {
    const { call, runId, goalId } = await open({ budget });
    const answers: Body[] = [];
    for (let n = 0; n < calls; n++) answers.push((await call('note', { word: `b${n}` })).data);
    expect(answers.at(-1)).toMatchObject({ status: 'denied', reason: stopReason });
    expect((await agent('GET', `agent/runs/${runId}`)).body.data).toMatchObject({ status: 'failed', stopReason });
    expect((await agent('GET', `agent/goals/${goalId}`)).body.data.status).toBe('failed');
  });

  it('[BUDGET-005] [BUDGET-007] counts artifact bytes and stops the run that exceeds them', async () => {
    const { call, runId } = await open({ budget: { maxArtifactBytes: 100 } });
    await call('draw', { bytes: 50 });
    expect((await agent('GET', `agent/runs/${runId}`)).body.data.budgetUsed).toEqual({ toolCalls: 1, runtimeMs: expect.any(Number), costUsd: 0, artifactBytes: 52 });
    await call('draw', { bytes: 60 });
    expect((await agent('GET', `agent/runs/${runId}`)).body.data).toMatchObject({ status: 'failed', stopReason: 'budget_artifact_bytes' });
  });

  it('reserves exactly the budget when sixty calls come at once', async () => {
    const { call, runId } = await open({ budget: { maxToolCalls: 40 } });
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => call('note', { word: `p${n}` })));
    expect(answers.filter(({ data }) => data?.status === 'executed')).toHaveLength(40);
    expect((await agent('GET', `agent/runs/${runId}`)).body.data).toMatchObject({ status: 'failed', stopReason: 'budget_tool_calls', budgetUsed: { toolCalls: 40 } });
  });

  it('[RUN-023] [RUN-024] shows a run with its calls, approvals and metrics', async () => {
    const { call, runId, goalId } = await open();
    await call('note', { word: 'view' });
    const { data } = (await agent('GET', `agent/runs/${runId}`)).body;
    expect(data).toMatchObject({
      runId, goalId, agentName: 'robot', agentRole: null, status: 'running', stopReason: null, envelope: { runId }, budgetUsed: { toolCalls: 1 },
      toolCalls: [{ tool: 'note', status: 'executed' }], approvals: [], metrics: { stopReason: null, constitutionHash: null },
    });
  });

  it('[RUN-027] lists the events of a run', async () => {
    const { runId } = await open();
    const { body } = await agent('GET', `agent/runs/${runId}/events`);
    expect(body.data[0]).toEqual({
      position: expect.stringMatching(/^\d+$/), streamId: `run-${runId}`, version: 1, eventId: expect.stringMatching(/^[0-9a-f-]{36}$/), type: 'RunStarted',
      occurredAt: expect.stringMatching(/Z$/), actor: { kind: 'agent', id: agent.id }, data: expect.objectContaining({ runId }),
    });
    const first = (await agent('GET', `agent/runs/${runId}/events?limit=1`)).body;
    const second = (await agent('GET', `agent/runs/${runId}/events?limit=1&cursor=${first.nextCursor}`)).body;
    expect([first.data[0].version, second.data[0].version, second.nextCursor]).toEqual([1, 2, null]);
  });

  it('[RUN-028] streams the events of a run by position and resumes after one', async () => {
    const { runId, call } = await open();
    const leave = new AbortController();
    const follow = (headers: Record<string, string> = {}) => fetch(`${server.url}/api/v1/agent/runs/${runId}/stream`, { headers: { authorization: `Bearer ${agent.key}`, ...headers }, signal: leave.signal });
    const seen: Body[] = [];
    for await (const sent of sentEvents(await follow())) {
      seen.push(sent);
      if (seen.length === 2) await call('note', { word: 'live' });
      if (sent.event === 'ToolCallSucceeded') break;
    }
    expect(seen.map(({ event }) => event)).toEqual(['RunStarted', 'EnvelopeSealed', 'ToolCallAuthorised', 'ToolCallSucceeded']);
    expect(seen.every(({ id, data }) => id === data.position)).toBe(true);
    for await (const sent of sentEvents(await follow({ 'last-event-id': seen[1].id as string }))) {
      expect(sent.id).toBe(seen[2].id);
      break;
    }
    leave.abort();
  });

  it('[SKILL-015] offers eight skills through the door', async () => {
    const { call } = await open({ budget: { maxToolCalls: 50 } });
    const approve = async (asked: Body) => (await server.admin('POST', `agent/approvals/${asked.data.approvalId}/decide`, { decision: 'approved' })).body.data.call as Body;
    const made = await approve(await call('createCollection', { name: 'shelves', fields: [{ name: 'label', type: 'text', required: true }] }));
    expect(made).toMatchObject({ status: 'executed', result: { name: 'shelves' } });
    expect(await approve(await call('createField', { collection: 'shelves', field: { name: 'rows', type: 'integer' } }))).toMatchObject({ status: 'executed' });
    expect((await call('listCollections')).data.result.rows.map(({ name }: Body) => name)).toContain('shelves');
    const { id } = (await call('createItem', { collection: 'shelves', data: { label: 'Left', rows: 3 } })).data.result;
    expect((await call('updateItem', { collection: 'shelves', id, data: { rows: 4 } })).data.result).toMatchObject({ version: 2, data: { rows: 4 } });
    expect((await call('getItem', { collection: 'shelves', id })).data.result.data).toEqual({ label: 'Left', rows: 4 });
    expect((await call('listItems', { collection: 'shelves' })).data.result.rows).toMatchObject([{ id, data: { rows: 4 } }]);
    expect(await approve(await call('deleteItem', { collection: 'shelves', id }))).toMatchObject({ status: 'executed' });
    expect((await call('listItems', { collection: 'shelves' })).data.result.rows).toEqual([]);
  });

  it('[TOOL-014] [TOOL-015] lists enabled tools with the class that the door applies', async () => {
    const tools = (await agent('GET', 'agent/tools')).body.data as Body[];
    expect(tools.find(({ name }) => name === 'deleteItem')).toMatchObject({ requiredCapabilities: ['items:delete'], owner: 'core', risk: 'destructive', dangerous: true, rateLimit: null });
    const { call } = await open({ budget: { maxToolCalls: 50 } });
    for (const [dangerous, status] of [[true, 'pending_approval'], [false, 'executed']] as const) {
      const put = await server.admin('PUT', 'agent/tools/note', { dangerous });
      expect(put.body.data.dangerous).toBe(dangerous);
      expect((await call('note', { word: `class ${dangerous}` })).data.status).toBe(status);
    }
    await server.admin('PUT', 'agent/tools/note', { enabled: false });
    expect(((await agent('GET', 'agent/tools')).body.data as Body[]).map(({ name }) => name)).not.toContain('note');
    expect((await call('note', { word: 'off' })).data).toMatchObject({ status: 'denied', reason: 'tool_disabled' });
    await server.admin('PUT', 'agent/tools/note', { enabled: true });
  });

  it.each([
    ['an unknown dialect', { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' }],
    ['a broken $ref', { type: 'object', properties: { a: { $ref: '#/$defs/none' } } }],
    ['an unsafe regular expression', { type: 'object', properties: { a: { type: 'string', pattern: '(?=a)(b)\\1' } } }],
    ['an unknown keyword', { type: 'object', propertys: {} }],
    ['an unknown format', { type: 'object', properties: { a: { type: 'string', format: 'shoe-size' } } }],
    ['no object', { type: 'string' }],
  ])('[TOOL-021] refuses a schema with %s when it is registered', async (_name, inputSchema) => {
    const before = await server.head();
    const answer = await server.admin('PUT', 'agent/tools/note', { inputSchema });
    expect([answer.status, answer.body.code, answer.body.facts.errors[0].pointer]).toEqual([422, 'VALIDATION_FAILED', '/inputSchema']);
    expect(await server.head()).toBe(before);
  });
});
