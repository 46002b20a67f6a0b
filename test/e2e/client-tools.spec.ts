import { describe, expect, it } from '@jest/globals';
import { jobs } from './jobs';
import type { Body } from './server';

describe('A tool of kind client', () => {
  const { server, agent, reviewer, open, eventsOf } = jobs();
  const register = (name: string, more: Body = {}) => server().admin('PUT', `agent/tools/${name}`, {
    kind: 'client', description: 'Runs in the shell of the agent', inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
    requiredCapabilities: ['items:update'], risk: 'write', irreversible: false, ...more,
  });
  const report = (runId: string, callId: string, body: Body) => agent()('POST', `agent/runs/${runId}/tool-calls/${callId}/outcome`, body);

  it('[EXT-006] [RUN-060] is authorised here, carried out by its agent, and has the outcome that the agent reports', async () => {
    expect((await register('shell')).status).toBe(200);
    const { runId, call } = await open();
    const { data } = await call('shell', { command: 'ls' }, 'c1');
    expect(data).toMatchObject({ callId: 'c1', status: 'indeterminate', rule: 'client_executes' });
    expect((await agent()('GET', `agent/runs/${runId}`)).body.data.toolCalls).toMatchObject([{ callId: 'c1', status: 'running' }]);
    const told = await report(runId, 'c1', { status: 'executed', result: { files: 3 }, runtimeMs: 12 });
    expect([told.status, told.body.data]).toMatchObject([200, { callId: 'c1', status: 'executed', result: { files: 3 } }]);
    expect((await report(runId, 'c1', { status: 'failed', error: 'changed my mind' })).body.data).toMatchObject({ status: 'executed', result: { files: 3 } });
    expect((await call('shell', { command: 'ls' }, 'c1')).data).toMatchObject({ status: 'executed', result: { files: 3 } });
    const { budgetUsed } = (await agent()('GET', `agent/runs/${runId}`)).body.data;
    expect(budgetUsed).toMatchObject({ toolCalls: 1, runtimeMs: 12 });
    expect((await eventsOf(runId)).map(({ type }) => type).filter((type) => /^ToolCall/.test(type as string))).toEqual(['ToolCallAuthorised', 'ToolCallSucceeded']);
  });

  it('is refused like any other, asked about like any other, and then still the agent\'s to carry out', async () => {
    await register('shell');
    const { runId, call } = await open({ approvalPolicy: 'before_execute' });
    expect((await call('shell', { order: 'ls' }, 'c0')).data).toMatchObject({ status: 'denied', reason: 'invalid_arguments' });
    const asked = (await call('shell', { command: 'rm' }, 'c1')).data;
    expect(asked.status).toBe('pending_approval');
    expect((await report(runId, 'c1', { status: 'executed' })).status).toBe(409);
    const decided = await reviewer()('POST', `agent/approvals/${asked.approvalId}/decide`, { decision: 'approved' });
    expect(decided.body.data.call).toMatchObject({ status: 'indeterminate', rule: 'client_executes' });
    expect((await report(runId, 'c1', { status: 'failed', error: 'No such file' })).body.data).toMatchObject({ status: 'pending_approval', reason: 'No such file' });
  });

  it('takes no report about a call that is not there, not the agent\'s, or not of this kind', async () => {
    await register('shell');
    const { runId, call } = await open();
    await call('note', { word: 'x' }, 'n1');
    expect((await report(runId, 'n1', { status: 'failed', error: 'no' })).body.data).toMatchObject({ status: 'executed' });
    expect((await report(runId, 'nowhere', { status: 'executed' })).status).toBe(403);
    await call('shell', { command: 'ls' }, 'c1');
    const other = await server().newKey({ name: 'other', capabilities: ['items:update'] });
    expect((await other('POST', `agent/runs/${runId}/tool-calls/c1/outcome`, { status: 'executed' })).status).toBe(403);
    expect((await report(runId, 'c1', { status: 'failed' })).status).toBe(422);
    expect((await report(runId, 'c1', { status: 'executed', result: { text: 'a\u0000b' } })).status).toBe(422);
  });
});
