import { describe, expect, it } from '@jest/globals';
import { jobs } from './jobs';
import { until } from './machine';
import { testServer, type Body } from './server';

describe('A goal that runs later', () => {
  const { server, agent, reviewer, eventsOf, ran } = jobs();
  const later = (task: Body, more: Record<string, unknown> = {}) => agent()('POST', 'agent/goals', { title: 'Later', agentName: 'robot', execution: 'async', task, ...more });
  const runOf = async (runId: string): Promise<Body> => (await agent()('GET', `agent/runs/${runId}`)).body.data;
  const ended = (runId: string) => until(async () => {
    const run = await runOf(runId);
    return ['succeeded', 'failed', 'cancelled'].includes(run.status as string) ? run : undefined;
  }, () => `the end of run ${runId}`, 20_000);

  it('[GOAL-004] [GOAL-005] is answered at once with 202 and has one job', async () => {
    const answer = await later({ skillName: 'note', arguments: { word: 'async' } });
    expect([answer.status, answer.body.data]).toEqual([202, {
      goalId: expect.stringMatching(/^goal_[0-9a-f]{32}$/), runId: expect.stringMatching(/^run_[0-9a-f]{32}$/), goalStatus: 'open', runStatus: 'queued',
    }]);
    const { runId, goalId } = answer.body.data;
    const run = await ended(runId);
    expect([run.status, run.stopReason, run.toolCalls.length, run.toolCalls[0].status]).toEqual(['succeeded', 'completed', 1, 'executed']);
    expect((await agent()('GET', `agent/goals/${goalId}`)).body.data.status).toBe('completed');
    expect(ran.filter((word) => word === 'async')).toEqual(['async']);
    const { rows } = await server().pool.query<Body>(`SELECT name, data::text AS data FROM pgboss.job WHERE data::text LIKE '%' || $1 || '%'`, [runId]);
    expect(rows.map(({ name }) => name)).toEqual(['agent-runs']);
    const types = (await eventsOf(runId)).map(({ type }) => type as string);
    expect(types).toEqual(['RunQueued', 'EnvelopeSealed', 'RunStarted', 'LeaseTaken', 'ToolCallAuthorised', 'ToolCallSucceeded', 'RunSucceeded']);
  });

  it('needs a task', async () => {
    expect((await later(undefined as never)).status).toBe(422);
  });

  it('[RUN-045] goes through the same door as a direct call', async () => {
    const direct = (await agent()('POST', 'agent/goals', { title: 'Now', agentName: 'robot', task: { skillName: 'note', arguments: { word: 'same' } } })).body.data;
    const queued = (await later({ skillName: 'note', arguments: { word: 'same' } })).body.data;
    await ended(queued.runId);
    const decisionIn = async (runId: string): Promise<Body> => {
      const { data } = (await eventsOf(runId)).find(({ type }) => type === 'ToolCallAuthorised');
      const { callId: _call, actionDigest: _digest, ...rest } = data;
      return rest;
    };
    expect(await decisionIn(queued.runId)).toEqual(await decisionIn(direct.runId));
    const missing = (await later({ skillName: 'noSuchTool', arguments: {} })).body.data;
    expect(await ended(missing.runId)).toMatchObject({ status: 'failed', stopReason: 'tool_failed', toolCalls: [{ status: 'denied', reason: 'tool_not_registered' }] });
    const spent = (await later({ skillName: 'note', arguments: { word: 'never' } }, { budget: { maxToolCalls: 0 } })).body.data;
    expect(await ended(spent.runId)).toMatchObject({ status: 'failed', stopReason: 'budget_tool_calls' });
    expect(ran).not.toContain('never');
  });

  it('waits for its approval without a worker, and is carried out once it has one', async () => {
    const { runId } = (await later({ skillName: 'note', arguments: { word: 'asked' } }, { approvalPolicy: 'before_execute' })).body.data;
    const { approvals: [approvalId] } = await until(async () => {
      const run = await runOf(runId);
      return run.status === 'awaiting_approval' ? run : undefined;
    }, () => 'the run to wait', 20_000);
    expect(ran).not.toContain('asked');
    expect((await reviewer()('POST', `agent/approvals/${approvalId}/decide`, { decision: 'approved' })).body.data).toMatchObject({ status: 'approved', call: { status: 'executed' } });
    expect(await runOf(runId)).toMatchObject({ status: 'succeeded' });
    expect(ran.filter((word) => word === 'asked')).toHaveLength(1);
  });

  it('[RUN-008] [RUN-007] runs with what its principal still holds, and never with more', async () => {
    const key = await server().newKey({ name: 'short-lived', capabilities: ['items:update'] });
    const parked = (await key('POST', 'agent/goals', { title: 'Later', agentName: 'robot', execution: 'async', approvalPolicy: 'before_execute', task: { skillName: 'note', arguments: { word: 'revoked' } } })).body.data;
    const { approvals: [approvalId] } = await until(async () => {
      const run = (await server().admin('GET', `agent/runs/${parked.runId}`)).body.data;
      return run.status === 'awaiting_approval' ? run : undefined;
    }, () => 'the run to wait', 20_000);
    expect((await server().admin('GET', `agent/runs/${parked.runId}`)).body.data.envelope.capabilities).toEqual(['items:update']);
    await server().admin('DELETE', `api-keys/${key.id}`);
    const decided = await reviewer()('POST', `agent/approvals/${approvalId}/decide`, { decision: 'approved' });
    expect(decided.body.data.call).toMatchObject({ status: 'denied', reason: 'capability_missing' });
    expect(ran).not.toContain('revoked');
  });
});

describe('A server without a queue', () => {
  it('[GOAL-006] [GOAL-007] refuses goals that run later, writes nothing, and runs the others', async () => {
    const server = await testServer({ HARNESS_QUEUE: 'off' });
    try {
      const agent = await server.newKey({ name: 'robot', capabilities: ['schema:read'] });
      const before = await server.head();
      const task = { skillName: 'listCollections', arguments: {} };
      const answer = await agent('POST', 'agent/goals', { title: 'Later', agentName: 'robot', execution: 'async', task });
      expect([answer.status, answer.body.code]).toEqual([400, 'ASYNC_UNAVAILABLE']);
      expect(await server.head()).toBe(before);
      expect((await agent('POST', 'agent/goals', { title: 'Now', agentName: 'robot', task })).body.data).toMatchObject({ runStatus: 'succeeded', result: { status: 'executed' } });
    } finally {
      await server.close();
    }
  });
});

describe('A queue that is out of order', () => {
  it('[GOAL-008] answers 503 with both ids, and the run that nobody will take has failed', async () => {
    const server = await testServer();
    try {
      const agent = await server.newKey({ name: 'robot', capabilities: ['schema:read'] });
      await server.pool.query('ALTER SCHEMA pgboss RENAME TO pgboss_away');
      const answer = await agent('POST', 'agent/goals', { title: 'Later', agentName: 'robot', execution: 'async', task: { skillName: 'listCollections', arguments: {} } });
      expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([503, 'ENQUEUE_FAILED', expect.any(String)]);
      const { goalId, runId } = answer.body.facts;
      expect((await agent('GET', `agent/runs/${runId}`)).body.data).toMatchObject({ goalId, status: 'failed', reason: expect.stringContaining('queue') });
      await server.pool.query('ALTER SCHEMA pgboss_away RENAME TO pgboss');
    } finally {
      await server.close();
    }
  });
});
