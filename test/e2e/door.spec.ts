import { describe, expect, it } from '@jest/globals';
import { jobs } from './jobs';
import { type Body } from './server';

describe('The door over HTTP', () => {
  const { ran, server, agent, open, eventsOf } = jobs();

  it('[DOOR-009] [RUN-056] executes a safe call at once', async () => {
    const { call, runId } = await open();
    const answer = await agent()('POST', `agent/runs/${runId}/tool-calls`, { tool: 'createItem', arguments: { collection: 'products', data: { sku: 'S-1', title: 'Safe' } } });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject({ callId: expect.stringMatching(/^call_[0-9a-f]{32}$/), status: 'executed', autonomy: 2, governanceVersion: expect.any(Number), result: { data: { title: 'Safe' }, version: 1 } });
    const read = await call('getItem', { collection: 'products', id: answer.body.data.result.id });
    expect(read.data.result.data.title).toBe('Safe');
    expect((await eventsOf(runId)).map((event: Body) => event.type)).toEqual(['RunStarted', 'EnvelopeSealed', 'ToolCallAuthorised', 'WritesFlushed', 'ToolCallSucceeded', 'ToolCallAuthorised', 'ToolCallSucceeded']);
  });

  it('[RUN-046] answers a repeated callId from the record', async () => {
    const { call } = await open();
    const [first, second] = await Promise.all([call('note', { word: 'twice?' }, 'c-1'), call('note', { word: 'twice?' }, 'c-1')]);
    expect(second.data).toEqual(first.data);
    expect((await call('note', { word: 'twice?' }, 'c-1')).data).toEqual(first.data);
    expect(ran.filter((word) => word === 'twice?')).toHaveLength(1);
    expect(await call('note', { word: 'other' }, 'c-1')).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  });

  it('[RUN-057] [RUN-058] answers failed with the error when a handler throws or is late', async () => {
    const { call } = await open();
    expect((await call('breakThings')).data).toMatchObject({ status: 'failed', reason: 'The press is jammed' });
    expect((await call('waitForever')).data).toMatchObject({ status: 'failed', reason: 'The tool did not answer within 40 ms', rule: 'timeout' });
    const { ToolCallAnswer } = await import('@app/tool-calls/contract');
    expect(ToolCallAnswer.shape.status.options).toEqual(['executed', 'pending_approval', 'staged', 'deferred', 'denied', 'failed', 'indeterminate']);
  });

  it('[DOOR-013] [DOOR-014] records every denial and answers it with 200', async () => {
    const { runId } = await open();
    const asked = [['nope', {}, 'tool_not_registered'], ['getItem', { id: 3 }, 'invalid_arguments']] as const;
    for (const [tool, args, reason] of asked) {
      const answer = await agent()('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: args });
      expect([answer.status, answer.body.data]).toMatchObject([200, { status: 'denied', reason, rule: expect.any(String), governanceVersion: expect.any(Number) }]);
    }
    const denials = (await eventsOf(runId)).filter((event: Body) => event.type === 'ToolCallDenied');
    expect(denials.map((event: Body) => [event.data.reason, typeof event.data.rule, typeof event.data.governanceVersion])).toEqual([
      ['tool_not_registered', 'string', 'number'], ['invalid_arguments', 'string', 'number'],
    ]);
  });

  it('[RUN-059] refuses a call on a finished run', async () => {
    const { call, runId } = await open();
    await agent()('POST', `agent/runs/${runId}/complete`, { result: { n: 1 } });
    expect(await call('note', { word: 'late' })).toMatchObject({ status: 409, code: 'RUN_TERMINAL', facts: { runStatus: 'succeeded', stopReason: 'completed' } });
  });

  it.each([
    ['budget_tool_calls', { maxToolCalls: 1 }, 2],
    ['budget_timeout', { timeoutMs: 0 }, 1],
  ])('ends a run with %s', async (stopReason, budget, calls) => {
    const { call, runId, goalId } = await open({ budget });
    const answers: Body[] = [];
    for (let n = 0; n < calls; n++) answers.push((await call('note', { word: `b${n}` })).data);
    expect(answers.at(-1)).toMatchObject({ status: 'denied', reason: stopReason });
    expect((await agent()('GET', `agent/runs/${runId}`)).body.data).toMatchObject({ status: 'failed', stopReason });
    expect((await agent()('GET', `agent/goals/${goalId}`)).body.data.status).toBe('failed');
  });

  it('[BUDGET-005] [BUDGET-007] counts artifact bytes and stops the run that exceeds them', async () => {
    const { call, runId } = await open({ budget: { maxArtifactBytes: 100 } });
    await call('draw', { bytes: 50 });
    expect((await agent()('GET', `agent/runs/${runId}`)).body.data.budgetUsed).toEqual({ toolCalls: 1, runtimeMs: expect.any(Number), costUsd: 0, artifactBytes: 52 });
    await call('draw', { bytes: 60 });
    expect((await agent()('GET', `agent/runs/${runId}`)).body.data).toMatchObject({ status: 'failed', stopReason: 'budget_artifact_bytes' });
  });

  it('[BUDGET-006] reserves exactly the budget when sixty calls come at once', async () => {
    const { call, runId } = await open({ budget: { maxToolCalls: 40 } });
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => call('note', { word: `p${n}` })));
    expect(answers.filter(({ data }) => data?.status === 'executed')).toHaveLength(40);
    expect((await agent()('GET', `agent/runs/${runId}`)).body.data).toMatchObject({ status: 'failed', stopReason: 'budget_tool_calls', budgetUsed: { toolCalls: 40 } });
  });

  it('[SKILL-015] offers eight skills through the door', async () => {
    const { call } = await open({ budget: { maxToolCalls: 50 } });
    const approve = async (asked: Body) => (await server().admin('POST', `agent/approvals/${asked.data.approvalId}/decide`, { decision: 'approved' })).body.data.call as Body;
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
    const tools = (await agent()('GET', 'agent/tools')).body.data as Body[];
    expect(tools.find(({ name }) => name === 'deleteItem')).toMatchObject({ requiredCapabilities: ['items:delete'], owner: 'core', risk: 'destructive', dangerous: true, rateLimit: null });
    const { call } = await open({ budget: { maxToolCalls: 50 } });
    for (const [dangerous, status] of [[true, 'pending_approval'], [false, 'executed']] as const) {
      const put = await server().admin('PUT', 'agent/tools/note', { dangerous });
      expect(put.body.data.dangerous).toBe(dangerous);
      expect((await call('note', { word: `class ${dangerous}` })).data.status).toBe(status);
    }
    await server().admin('PUT', 'agent/tools/note', { enabled: false });
    expect(((await agent()('GET', 'agent/tools')).body.data as Body[]).map(({ name }) => name)).not.toContain('note');
    expect((await call('note', { word: 'off' })).data).toMatchObject({ status: 'denied', reason: 'tool_disabled' });
    await server().admin('PUT', 'agent/tools/note', { enabled: true });
  });

  it.each([
    ['an unknown dialect', { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' }],
    ['a broken $ref', { type: 'object', properties: { a: { $ref: '#/$defs/none' } } }],
    ['an unsafe regular expression', { type: 'object', properties: { a: { type: 'string', pattern: '(?=a)(b)\\1' } } }],
    ['an unknown keyword', { type: 'object', propertys: {} }],
    ['an unknown format', { type: 'object', properties: { a: { type: 'string', format: 'shoe-size' } } }],
    ['no object', { type: 'string' }],
  ])('[TOOL-021] refuses a schema with %s when it is registered', async (_name, inputSchema) => {
    const before = await server().head();
    const answer = await server().admin('PUT', 'agent/tools/note', { inputSchema });
    expect([answer.status, answer.body.code, answer.body.facts.errors[0].pointer]).toEqual([422, 'VALIDATION_FAILED', '/inputSchema']);
    expect(await server().head()).toBe(before);
  });
});
