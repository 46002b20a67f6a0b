import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { skill } from '@app/skills';
import { z } from 'zod';
import { until } from './machine';
import { testServer, type Api, type Body, type TestServer } from './server';

/** Handlers that have begun, and what lets each of them end. */
const held = new Map<string, () => void>();
const ended: string[] = [];
const gate = skill('gate', {
  description: 'Waits until it is let through.', input: z.strictObject({ name: z.string() }), capability: 'items:update', risk: 'write',
  run: async ({ name }) => {
    await new Promise<void>((settle) => held.set(name, settle));
    ended.push(name);
    return { ok: true as const, data: { name }, position: 0n };
  },
});

describe('Cancelling a run', () => {
  let server: TestServer;
  let agent: Api & { readonly id: string };
  let ada: Api & { readonly id: string };

  beforeAll(async () => {
    server = await testServer({}, [gate]);
    agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:update', 'items:delete', 'schema:read'] });
    ada = await server.newKey({ name: 'Ada', kind: 'human', capabilities: ['runs:cancel', 'approvals:decide', 'items:read'] });
  });
  afterAll(() => server.close());

  const open = async (more: Body = {}) => (await agent('POST', 'agent/goals', { title: 'Work', agentName: 'robot', ...more })).body.data as { runId: string; goalId: string; result?: Body };
  const call = (runId: string, tool: string, args: Body, callId?: string) => agent('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: args, ...(callId !== undefined && { callId }) });
  const cancel = (runId: string, reason?: string) => ada('POST', `agent/runs/${runId}/cancel`, reason === undefined ? {} : { reason });
  const runOf = async (runId: string): Promise<Body> => (await server.admin('GET', `agent/runs/${runId}`)).body.data;
  const eventsOf = async (runId: string): Promise<Body[]> => (await server.log()).filter((event: Body) => event.stream_id === `run-${runId}`);
  const started = (name: string) => until(() => held.get(name), () => `the handler ${name}`, 10_000);
  const status = (runId: string, wanted: string) => until(async () => ((await runOf(runId)).status === wanted ? true : undefined), () => `${runId} to be ${wanted}`, 15_000);
  const words = (events: readonly Body[]) => events.map(({ type }) => type as string);

  /** A run that waits for a worker: all eight of the only worker are busy. */
  const queued = async () => {
    const busy = Array.from({ length: 8 }, (_, nr) => `busy-${nr}`);
    for (const name of busy) await open({ execution: 'async', task: { skillName: 'gate', arguments: { name } } });
    for (const name of busy) await started(name);
    const run = await open({ execution: 'async', task: { skillName: 'gate', arguments: { name: 'never' } } });
    return { ...run, release: () => busy.forEach((name) => held.get(name)!()) };
  };

  it('[RUN-032] [RUN-035] is accepted while it is queued, running or waits for an approval, with actor and reason on record', async () => {
    const waiting = await open({ approvalPolicy: 'before_execute', task: { skillName: 'gate', arguments: { name: 'asked' } } });
    const running = await open();
    const { runId: inQueue, goalId, release } = await queued();
    const before = { queued: inQueue, running: running.runId, awaiting_approval: waiting.runId };
    for (const [was, runId] of Object.entries(before)) {
      expect((await runOf(runId)).status).toBe(was);
      const answer = await cancel(runId, `No longer ${was}`);
      expect([answer.status, answer.body.data]).toEqual([200, { runId, goalId: expect.any(String), status: 'cancelled', stopReason: 'cancelled_by_user' }]);
      const [requested, last] = (await eventsOf(runId)).slice(-2);
      for (const event of [requested, last]) expect(event).toMatchObject({ data: { reason: `No longer ${was}` }, metadata: { actor: { kind: 'human', id: ada.id } } });
      expect(words([requested!, last!])).toEqual(['RunCancelRequested', 'RunCancelled']);
      expect(await cancel(runId)).toMatchObject({ status: 409, body: { code: 'RUN_TERMINAL', facts: { runStatus: 'cancelled' } } });
    }
    expect((await ada('GET', `agent/goals/${goalId}`)).body.data.status).toBe('cancelled');
    release();
    // Its job comes to a worker all the same, after those that were before it, and does nothing.
    const after = await open({ execution: 'async', task: { skillName: 'listCollections', arguments: {} } });
    await status(after.runId, 'succeeded');
    expect(held.has('never')).toBe(false);
    expect(words(await eventsOf(inQueue))).toEqual(['RunQueued', 'EnvelopeSealed', 'RunCancelRequested', 'RunCancelled']);
  });

  it('[RUN-033] refuses the next call at once, while the handler that runs may finish', async () => {
    const { runId } = await open();
    const running = call(runId, 'gate', { name: 'slow' }, 'slow');
    await started('slow');
    expect((await cancel(runId, 'Enough')).body.data).toMatchObject({ status: 'running' });
    expect((await call(runId, 'listCollections', {})).body.data).toMatchObject({ status: 'denied', reason: 'cancelled', rule: 'run_state' });
    expect(ended).not.toContain('slow');
    held.get('slow')!();
    expect((await running).body.data).toMatchObject({ status: 'executed', result: { name: 'slow' } });
    expect(await runOf(runId)).toMatchObject({ status: 'cancelled', stopReason: 'cancelled_by_user', toolCalls: expect.arrayContaining([expect.objectContaining({ callId: 'slow', status: 'executed' }), expect.objectContaining({ status: 'denied' })]) });
    expect(await call(runId, 'listCollections', {})).toMatchObject({ status: 409, body: { code: 'RUN_TERMINAL' } });
    const requested = (await eventsOf(runId)).find(({ type }) => type === 'RunCancelRequested')!;
    expect(requested).toMatchObject({ data: { reason: 'Enough' }, metadata: { actor: { id: ada.id } } });
    // A second wish while the first one waits adds nothing, and the task of a worker ends in the same way.
    const { runId: task } = await open({ execution: 'async', task: { skillName: 'gate', arguments: { name: 'task' } } });
    await started('task');
    for (const reason of ['Once', 'Twice']) expect((await cancel(task, reason)).body.data.status).toBe('running');
    held.get('task')!();
    await status(task, 'cancelled');
    expect(words(await eventsOf(task)).filter((type) => type === 'RunCancelRequested')).toHaveLength(1);
  });

  it('[RUN-034] leaves nothing for an approval that comes later, whether the run has ended or is about to', async () => {
    const { runId } = await open({ approvalPolicy: 'before_execute' });
    const { approvalId } = (await call(runId, 'gate', { name: 'late' })).body.data;
    await cancel(runId);
    const decided = await ada('POST', `agent/approvals/${approvalId}/decide`, { decision: 'approved' });
    expect(decided).toMatchObject({ status: 409, body: { code: 'ALREADY_DECIDED' } });
    const { runId: busy } = await open({ approvalPolicy: 'before_execute' });
    const first = (await call(busy, 'gate', { name: 'first' })).body.data;
    const second = (await call(busy, 'gate', { name: 'second' })).body.data;
    const running = ada('POST', `agent/approvals/${first.approvalId}/decide`, { decision: 'approved' });
    await started('first');
    expect((await cancel(busy)).body.data.status).toBe('awaiting_approval');
    expect((await ada('POST', `agent/approvals/${second.approvalId}/decide`, { decision: 'approved' })).body.data.call).toMatchObject({ status: 'denied', reason: 'cancelled' });
    held.get('first')!();
    expect((await running).body.data.call.status).toBe('executed');
    expect(await runOf(busy)).toMatchObject({ status: 'cancelled' });
    expect([held.has('late'), held.has('second')]).toEqual([false, false]);
  });

  it('replays from the log', async () => {
    const verdict = (await server.admin('GET', 'agent/replay/verify')).text.split('\n\n').findLast((sent) => sent.includes('event: verdict'));
    expect(verdict).toContain('"ok":true');
  });
});
