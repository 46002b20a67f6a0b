import { describe, expect, it } from '@jest/globals';
import { jobs } from './jobs';
import { sentEvents, type Body } from './server';

describe('Goals and runs', () => {
  const { server, agent, open, eventsOf } = jobs();

  it('[GOAL-003] opens an external run for a goal without a task', async () => {
    const answer = await agent()('POST', 'agent/goals', { title: 'Look around', agentName: 'robot' });
    expect([answer.status, answer.body.data]).toEqual([201, {
      goalId: expect.stringMatching(/^goal_[0-9a-f]{32}$/), runId: expect.stringMatching(/^run_[0-9a-f]{32}$/), goalStatus: 'running', runStatus: 'running',
    }]);
    const { kind } = (await agent()('GET', `agent/runs/${answer.body.data.runId}`)).body.data;
    expect(kind).toBe('external');
  });

  it('[GOAL-002] [RUN-012] runs a task inside the request by default', async () => {
    const answer = await agent()('POST', 'agent/goals', { title: 'List', agentName: 'robot', task: { skillName: 'listCollections', arguments: {} } });
    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({ goalStatus: 'completed', runStatus: 'succeeded', result: { status: 'executed', result: { rows: [{ name: 'products' }] } } });
    expect((await agent()('GET', `agent/runs/${answer.body.data.runId}`)).body.data).toMatchObject({ status: 'succeeded', stopReason: 'completed' });
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
    const before = await server().head();
    const answer = await agent()('POST', 'agent/goals', { title: 'x', agentName: 'robot', ...wrong });
    expect([answer.status, answer.body.code]).toEqual([422, 'VALIDATION_FAILED']);
    expect(await server().head()).toBe(before);
  });

  it('[GOAL-001] takes every field of the contract', async () => {
    const answer = await agent()('POST', 'agent/goals', {
      title: 'All', agentName: 'robot', agentRole: 'Writer', execution: 'sync', task: { skillName: 'listItems', arguments: { collection: 'products' } },
      budget: { maxToolCalls: 3, maxCostUsd: 1, timeoutMs: 5_000, maxArtifactBytes: 10 }, autonomyCap: 2, intentId: `int_${'0'.repeat(32)}`, approvalPolicy: 'none',
      context: { collections: ['products'] },
    });
    expect(answer.status).toBe(201);
    const { goalId, runId } = answer.body.data;
    expect((await agent()('GET', `agent/goals/${goalId}`)).body.data).toMatchObject({ agentRole: 'Writer', autonomyCap: 2, intentId: `int_${'0'.repeat(32)}` });
    expect((await agent()('GET', `agent/runs/${runId}`)).body.data.envelope).toMatchObject({ budget: { maxToolCalls: 3 }, context: { collections: ['products'] } });
  });

  it('[GOAL-010] [GOAL-011] shows a goal with origin, lineage, limits and owner', async () => {
    const { goalId } = await open({ autonomyCap: 3 });
    const { data } = (await agent()('GET', `agent/goals/${goalId}`)).body;
    expect(data).toEqual({
      id: goalId, siteId: 'site_demo', title: 'Tidy up', status: 'running', reason: null, origin: 'user', runId: expect.any(String), agentName: 'robot', agentRole: null,
      parentGoalId: null, intentId: null, driftFingerprint: null, autonomyCap: 3, priority: 0, deadline: null, owner: agent().id, acceptance: null, createdAt: expect.any(String),
    });
    expect((await agent()('GET', 'agent/goals?origin=nobody')).status).toBe(422);
    for (const origin of ['user', 'planner', 'reconciler', 'flow']) expect((await agent()('GET', `agent/goals?origin=${origin}`)).status).toBe(200);
  });

  it('[GOAL-012] [RUN-026] lists goals and runs of the site with filters', async () => {
    const { goalId, runId, call } = await open();
    await call('getItem', { collection: 'products', id: 'none' });
    const done = await agent()('POST', `agent/runs/${runId}/fail`, { reason: 'Enough' });
    const at = { 'x-min-position': done.body.position as string };
    const failed = (await agent()('GET', 'agent/goals?status=failed', undefined, at)).body.data as Body[];
    expect(failed.map(({ id }) => id)).toContain(goalId);
    expect(new Set(failed.map(({ status }) => status))).toEqual(new Set(['failed']));
    const ofGoal = (await agent()('GET', `agent/runs?goalId=${goalId}`, undefined, at)).body.data as Body[];
    expect(ofGoal.map(({ id, status, reason, siteId }) => [id, status, reason, siteId])).toEqual([[runId, 'failed', 'Enough', 'site_demo']]);
    expect((await agent()('GET', `agent/runs?status=succeeded&goalId=${goalId}`, undefined, at)).body.data).toEqual([]);
  });

  it('[RUN-001] seals an envelope', async () => {
    const { runId, goalId } = await open({ approvalPolicy: 'before_execute' });
    const sealed = (await eventsOf(runId)).find((event: Body) => event.type === 'EnvelopeSealed').data.envelope as Body;
    expect(sealed).toMatchObject({
      goalId, runId, agentName: 'robot', context: { siteId: 'site_demo', collections: [], policySnapshotHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
      budget: { maxToolCalls: 20 }, risk: 'safe', approvalPolicy: 'before_execute', artifacts: [],
    });
    expect((await agent()('GET', `agent/runs/${runId}`)).body.data.envelope).toEqual(sealed);
  });

  it('[RUN-016] fails a task run whose tool failed', async () => {
    const answer = await agent()('POST', 'agent/goals', { title: 'x', agentName: 'robot', task: { skillName: 'breakThings' } });
    expect(answer.body.data).toMatchObject({ goalStatus: 'failed', runStatus: 'failed', result: { status: 'failed' } });
    expect((await agent()('GET', `agent/runs/${answer.body.data.runId}`)).body.data.stopReason).toBe('tool_failed');
  });

  it('[RUN-023] [RUN-024] shows a run with its calls, approvals and metrics', async () => {
    const { call, runId, goalId } = await open();
    await call('note', { word: 'view' });
    const { data } = (await agent()('GET', `agent/runs/${runId}`)).body;
    expect(data).toMatchObject({
      runId, goalId, agentName: 'robot', agentRole: null, status: 'running', stopReason: null, envelope: { runId }, budgetUsed: { toolCalls: 1 },
      toolCalls: [{ tool: 'note', status: 'executed' }], approvals: [], metrics: { stopReason: null, constitutionHash: null },
    });
  });

  it('[RUN-027] lists the events of a run', async () => {
    const { runId } = await open();
    const { body } = await agent()('GET', `agent/runs/${runId}/events`);
    expect(body.data[0]).toEqual({
      position: expect.stringMatching(/^\d+$/), streamId: `run-${runId}`, version: 1, eventId: expect.stringMatching(/^[0-9a-f-]{36}$/), type: 'RunStarted',
      occurredAt: expect.stringMatching(/Z$/), actor: { kind: 'agent', id: agent().id }, data: expect.objectContaining({ runId }),
    });
    const first = (await agent()('GET', `agent/runs/${runId}/events?limit=1`)).body;
    const second = (await agent()('GET', `agent/runs/${runId}/events?limit=1&cursor=${first.nextCursor}`)).body;
    expect([first.data[0].version, second.data[0].version, second.nextCursor]).toEqual([1, 2, null]);
  });

  it('[RUN-028] [RUN-029] streams the events of a run by position and resumes after one without hole or repeat', async () => {
    const { runId, call } = await open();
    const leave = new AbortController();
    const follow = (headers: Record<string, string> = {}) => fetch(`${server().url}/api/v1/agent/runs/${runId}/stream`, { headers: { authorization: `Bearer ${agent().key}`, ...headers }, signal: leave.signal });
    const seen: Body[] = [];
    for await (const sent of sentEvents(await follow())) {
      seen.push(sent);
      if (seen.length === 2) await call('note', { word: 'live' });
      if (sent.event === 'ToolCallSucceeded') break;
    }
    expect(seen.map(({ event }) => event)).toEqual(['RunStarted', 'EnvelopeSealed', 'ToolCallAuthorised', 'ToolCallSucceeded']);
    expect(seen.every(({ id, data }) => id === data.position)).toBe(true);
    for (const left of [0, 1, 2]) {
      const rest: Body[] = [];
      for await (const sent of sentEvents(await follow({ 'last-event-id': seen[left].id as string }))) {
        rest.push(sent);
        if (rest.length === seen.length - left - 1) break;
      }
      expect(rest).toEqual(seen.slice(left + 1));
    }
    leave.abort();
  });
});
