import { describe, expect, it } from '@jest/globals';
import { jobs } from './jobs';
import { until } from './machine';
import { testServer, type Api, type Body } from './server';

const ENDED = ['succeeded', 'failed', 'cancelled'];

describe('Retrying a run', () => {
  const { server, agent, reviewer, eventsOf, ran } = jobs();
  const runOf = async (runId: string, by: Api = server().admin): Promise<Body> => (await by('GET', `agent/runs/${runId}`)).body.data;
  const ended = (runId: string) => until(async () => {
    const run = await runOf(runId);
    return ENDED.includes(run.status as string) ? run : undefined;
  }, () => `the end of run ${runId}`, 20_000);
  const task = (skillName: string, args: Body = {}, more: Body = {}) => ({ title: 'Again', agentName: 'robot', task: { skillName, arguments: args }, ...more });

  it('[RUN-036] [RUN-037] opens a new run of the same task and leaves the old one as it is', async () => {
    const wish = task('breakThings', {}, { priority: 3, acceptance: 'It holds', budget: { maxToolCalls: 4 }, autonomyCap: 2, context: { collections: ['products'] } });
    const { runId, goalId } = (await agent()('POST', 'agent/goals', wish)).body.data;
    const before = await eventsOf(runId);
    const answer = await agent()('POST', `agent/runs/${runId}/retry`);
    expect([answer.status, answer.body.data]).toEqual([202, { goalId: expect.any(String), runId: expect.any(String), goalStatus: 'open', runStatus: 'queued', retryOf: runId }]);
    const again = await ended(answer.body.data.runId);
    expect(again).toMatchObject({ status: 'failed', stopReason: 'tool_failed', toolCalls: [{ tool: 'breakThings', status: 'failed' }], envelope: { retryOf: runId, budget: { maxToolCalls: 4 }, autonomyCap: 2 } });
    const events = await eventsOf(again.runId);
    expect(events.find(({ type }) => type === 'RunRetried')!.data).toEqual({ retryOf: runId });
    expect(events.find(({ type }) => type === 'RunQueued')!.data.task).toEqual(before[0]!.data.task);
    expect(await eventsOf(runId)).toEqual(before);
    expect(await runOf(runId)).toMatchObject({ status: 'failed', goalId });
    const [old, made] = [(await agent()('GET', `agent/goals/${goalId}`)).body.data, (await agent()('GET', `agent/goals/${again.goalId}`)).body.data];
    for (const field of ['title', 'agentName', 'priority', 'acceptance', 'origin', 'owner']) expect([field, made[field]]).toEqual([field, old[field]]);
  });

  it('[RUN-038] asks anew what its principal may do', async () => {
    const key = await server().newKey({ name: 'poor', capabilities: ['items:read'] });
    const { runId } = (await key('POST', 'agent/goals', task('note', { word: 'later' }))).body.data;
    expect(await runOf(runId)).toMatchObject({ status: 'failed', toolCalls: [{ status: 'denied', reason: 'capability_missing' }] });
    await server().admin('PUT', `api-keys/${key.id}`, { capabilities: ['items:read', 'items:update'] });
    const richer = await ended((await key('POST', `agent/runs/${runId}/retry`)).body.data.runId);
    expect(richer).toMatchObject({ status: 'succeeded', envelope: { capabilities: ['items:read', 'items:update'], principalId: key.id } });
    expect(ran.filter((word) => word === 'later')).toHaveLength(1);
    await server().admin('PUT', `api-keys/${key.id}`, { capabilities: ['items:read'] });
    // An admin who retries lends the run nothing: it is still its owner's.
    const poorer = await ended((await server().admin('POST', `agent/runs/${richer.runId}/retry`)).body.data.runId);
    expect(poorer).toMatchObject({ status: 'failed', envelope: { capabilities: ['items:read'], principalId: key.id }, toolCalls: [{ status: 'denied', reason: 'capability_missing' }] });
    await server().admin('DELETE', `api-keys/${key.id}`);
    expect(await server().admin('POST', `agent/runs/${runId}/retry`)).toMatchObject({ status: 409, body: { code: 'CONFLICT', detail: expect.stringContaining('revoked') } });
  });

  it('[RUN-039] refuses arguments that were stored without their secrets, and says so', async () => {
    const { runId } = (await agent()('POST', 'agent/goals', task('note', { word: 'Bearer abcdef0123456789abcdef0123456789' }))).body.data;
    const answer = await agent()('POST', `agent/runs/${runId}/retry`);
    expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT', detail: expect.stringContaining('secrets'), facts: { masked: ['/word'] } } });
    const { runId: queued } = (await agent()('POST', 'agent/goals', task('note', { word: 'Bearer abcdef0123456789abcdef0123456789' }, { execution: 'async' }))).body.data;
    await ended(queued);
    expect((await agent()('POST', `agent/runs/${queued}/retry`)).body.detail).toContain('secrets');
  });

  it('refuses runs that live, that have no task, and that are others\'', async () => {
    const waiting = (await agent()('POST', 'agent/goals', task('note', { word: 'x' }, { approvalPolicy: 'before_execute' }))).body.data;
    expect(await agent()('POST', `agent/runs/${waiting.runId}/retry`)).toMatchObject({ status: 409, body: { code: 'CONFLICT', facts: { runStatus: 'awaiting_approval' } } });
    const driven = (await agent()('POST', 'agent/goals', { title: 'Mine', agentName: 'robot' })).body.data;
    await agent()('POST', `agent/runs/${driven.runId}/complete`, {});
    expect(await agent()('POST', `agent/runs/${driven.runId}/retry`)).toMatchObject({ status: 409, body: { detail: expect.stringContaining('no stored task') } });
    const { runId } = (await agent()('POST', 'agent/goals', task('breakThings'))).body.data;
    expect((await reviewer()('POST', `agent/runs/${runId}/retry`)).status).toBe(403);
    const operator = await server().newKey({ name: 'ops', kind: 'human', capabilities: ['ops:write'] });
    expect((await operator('POST', `agent/runs/${runId}/retry`)).status).toBe(202);
  });

  it('is done once under one idempotency key', async () => {
    const { runId } = (await agent()('POST', 'agent/goals', task('breakThings'))).body.data;
    const answers = [1, 2].map(() => agent()('POST', `agent/runs/${runId}/retry`, {}, { 'idempotency-key': `retry-${runId}` }));
    const runs = (await Promise.all(answers)).filter(({ status }) => status === 202).map(({ body }) => body.data.runId as string);
    expect(new Set(runs).size).toBe(1);
  });
});

describe('Without a queue', () => {
  it('[RUN-053] a run that fails again and again keeps all of its history, and so do its retries', async () => {
    const server = await testServer({ HARNESS_QUEUE: 'off' });
    try {
      const agent = await server.newKey({ name: 'robot', capabilities: ['items:read'] });
      const missing = { tool: 'getItem', arguments: { collection: 'products', id: 'none' } };
      const external = (await agent('POST', 'agent/goals', { title: 'Try', agentName: 'robot' })).body.data.runId as string;
      for (let nr = 0; nr < 5; nr++) expect((await agent('POST', `agent/runs/${external}/tool-calls`, { ...missing, callId: `try-${nr}` })).body.data.status).toBe('failed');
      const first = (await agent('POST', 'agent/goals', { title: 'Fail', agentName: 'robot', task: { skillName: 'getItem', arguments: missing.arguments } })).body.data.runId as string;
      const chain = [first];
      for (let nr = 0; nr < 3; nr++) {
        const answer = await agent('POST', `agent/runs/${chain.at(-1)!}/retry`);
        expect([answer.status, answer.body.data.runStatus, answer.body.data.result.status]).toEqual([201, 'failed', 'failed']);
        chain.push(answer.body.data.runId as string);
      }
      const typesOf = async (runId: string) => ((await agent('GET', `agent/runs/${runId}/events?limit=100`)).body.data as Body[]).map(({ type }) => type as string);
      expect(await typesOf(external)).toEqual(['RunStarted', 'EnvelopeSealed', ...Array(5).fill(['ToolCallAuthorised', 'ToolCallFailed']).flat()]);
      for (const [nr, runId] of chain.entries()) {
        expect(await typesOf(runId)).toEqual(['RunStarted', 'EnvelopeSealed', ...(nr === 0 ? [] : ['RunRetried']), 'ToolCallAuthorised', 'ToolCallFailed', 'RunFailed']);
        const run = (await agent('GET', `agent/runs/${runId}`)).body.data;
        expect([run.status, run.toolCalls[0].status, run.envelope.retryOf]).toEqual(['failed', 'failed', chain[nr - 1]]);
      }
    } finally {
      await server.close();
    }
  });
});
