import { afterAll, describe, expect, it } from '@jest/globals';
import { Harness } from '@app/sdk';
import { serverDatabase, type TestDatabase } from '../database';
import { eventually } from './eventually';
import { jobs } from './jobs';
import { Processes, urlOf } from './processes';
import { ADMIN_KEY, apiAt, sentEvents, type Body } from './server';

const SHORT = 1_000;
const ofApproval = (events: readonly Body[], id: string) => events.filter(({ stream_id }) => stream_id === `approval-${id}`).map(({ type }) => type as string);

describe('An approval that nobody decides', () => {
  const { ran, server, agent, reviewer, open, eventsOf } = jobs();
  const expiring = (ms: number) => server().admin('PUT', 'settings', { approvalExpiryMsByKind: { tool_call: ms } });
  const view = async (id: string): Promise<Body> => (await reviewer()('GET', `agent/approvals/${id}`)).body.data;
  const expired = (id: string) => eventually(() => view(id), ({ status }) => status !== 'pending');

  it('[APPR-039] has seven days by default', async () => {
    const { call } = await open({ approvalPolicy: 'before_execute' });
    const { requestedAt, expiresAt } = await view((await call('note', { word: 'week' })).data.approvalId as string);
    expect(Date.parse(expiresAt as string) - Date.parse(requestedAt as string)).toBe(7 * 24 * 3_600_000);
  });

  it('[RUN-019] [APPR-035] [APPR-040] ends by the site\'s setting, never runs, and its external run goes on with the reason', async () => {
    await expiring(SHORT);
    const { call, runId } = await open({ approvalPolicy: 'before_execute' });
    const stream = await fetch(`${server().url}/api/v1/agent/runs/${runId}/stream`, { headers: { authorization: `Bearer ${agent().key}` } });
    const waiting = (await call('note', { word: 'silence' })).data;
    const { requestedAt, expiresAt } = await view(waiting.approvalId);
    expect(Date.parse(expiresAt as string) - Date.parse(requestedAt as string)).toBe(SHORT);
    const heard: Body[] = [];
    for await (const event of sentEvents(stream)) {
      heard.push(event);
      if (event.event === 'ToolCallDenied') break;
    }
    expect(heard.map(({ event }) => event)).toEqual(expect.arrayContaining(['RunParked', 'RunResumed', 'ToolCallDenied']));
    expect(heard.at(-1)!.data.data).toMatchObject({ callId: waiting.callId, reason: 'expired', rule: 'approval', facts: { expiresAt } });
    expect(heard.find(({ event }) => event === 'RunResumed')!.data.data).toEqual({ callId: waiting.callId, approvalId: waiting.approvalId, decision: 'expired' });
    expect(await expired(waiting.approvalId)).toMatchObject({ status: 'expired', decidedBy: null });
    expect(ran.includes('silence')).toBe(false);
    await expiring(3_600_000);
    const next = (await call('note', { word: 'next' })).data;
    expect((await reviewer()('POST', `agent/approvals/${next.approvalId}/decide`, { decision: 'approved' })).body.data.call.status).toBe('executed');
    const late = await reviewer()('POST', `agent/approvals/${waiting.approvalId}/decide`, { decision: 'approved' });
    expect([late.status, late.body]).toMatchObject([409, { code: 'ALREADY_DECIDED', facts: { status: 'expired' } }]);
  });

  it('[APPR-034] wakes whoever waits for it, whatever its end', async () => {
    await expiring(SHORT * 4);
    const harness = new Harness({ url: server().url, key: agent().key });
    const run = await harness.goal({ title: 'Five ends', agentName: 'robot', approvalPolicy: 'before_execute' });
    const waiting = async (word: string) => {
      const { approvalId } = await run.call('note', { word }, { callId: word });
      return { id: approvalId!, settled: run.waitForApproval(approvalId!) };
    };
    const [yes, no, changes, nobody] = [await waiting('w-yes'), await waiting('w-no'), await waiting('w-changes'), await waiting('w-nobody')];
    const decide = (id: string, decision: string) => reviewer()('POST', `agent/approvals/${id}/decide`, { decision, reason: 'Because' });
    await Promise.all([decide(yes.id, 'approved'), decide(no.id, 'rejected'), decide(changes.id, 'changes_requested')]);
    const settled = await Promise.all([yes, no, changes, nobody].map((each) => each.settled));
    expect(settled.map(({ status }) => status)).toEqual(['approved', 'rejected', 'rejected', 'expired']);
    expect(settled[0]!.call).toMatchObject({ status: 'executed' });
    const last = await waiting('w-superseded');
    await run.cancel('Enough');
    expect((await last.settled).status).toBe('superseded');
  });

  it('[RUN-018] ends a task run with approval_expired', async () => {
    await expiring(SHORT);
    const { data } = (await agent()('POST', 'agent/goals', { title: 'T', agentName: 'robot', approvalPolicy: 'before_execute', task: { skillName: 'note', arguments: { word: 'task' } } })).body;
    expect(data.runStatus).toBe('awaiting_approval');
    const run = await eventually(async () => (await agent()('GET', `agent/runs/${data.runId}`)).body.data as Body, ({ status }) => status !== 'awaiting_approval');
    expect(run).toMatchObject({ status: 'failed', stopReason: 'approval_expired', toolCalls: [{ status: 'denied', reason: 'expired' }] });
    expect((await agent()('GET', `agent/goals/${data.goalId}`)).body.data.status).toBe('failed');
  });

  it('[RUN-017] ends a task run whose call is rejected with approval_rejected', async () => {
    await expiring(3_600_000);
    const { data } = (await agent()('POST', 'agent/goals', { title: 'T', agentName: 'robot', approvalPolicy: 'before_execute', task: { skillName: 'note', arguments: { word: 'rejected' } } })).body;
    await reviewer()('POST', `agent/approvals/${data.result.approvalId}/decide`, { decision: 'rejected', reason: 'No' });
    expect((await agent()('GET', `agent/runs/${data.runId}`)).body.data).toMatchObject({ status: 'failed', stopReason: 'approval_rejected' });
    expect(ran.includes('rejected')).toBe(false);
  });

  it('waits for the time it was extended to', async () => {
    // Long enough for the extension to come in time on a busy machine.
    await expiring(5 * SHORT);
    const { call, runId } = await open({ approvalPolicy: 'before_execute' });
    const [kept, lost] = [(await call('note', { word: 'kept' })).data, (await call('note', { word: 'lost' })).data];
    await reviewer()('POST', `agent/approvals/${kept.approvalId}/extend`, { until: new Date(Date.now() + 3_600_000).toISOString() });
    expect((await expired(lost.approvalId)).status).toBe('expired');
    expect((await reviewer()('POST', `agent/approvals/${kept.approvalId}/decide`, { decision: 'approved' })).body.data.call.status).toBe('executed');
    expect((await eventsOf(runId)).filter(({ type }) => type === 'ToolCallDenied')).toHaveLength(1);
  });
});

describe('Approvals over a restart of every process', () => {
  const processes = new Processes();
  const databases: TestDatabase[] = [];
  afterAll(async () => {
    await processes.cleanUp();
    for (const database of databases) await database.drop();
  });

  it('[APPR-041] [APPR-056] [APPR-057] can still be decided, expire once if their time came meanwhile, and never run when declined', async () => {
    const database = await serverDatabase();
    databases.push(database);
    const environment = { DATABASE_URL: urlOf(database), HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, HARNESS_MASTER_KEY: 'ab'.repeat(32) };
    let [server, second] = [await processes.start(environment), await processes.start(environment)];
    const api = (method: string, path: string, body?: unknown) => apiAt(server.url)(ADMIN_KEY)(method, path, body);
    const events = async () => (await api('GET', 'audit/events?sort=position&limit=200')).body.data as Body[];
    const { runId } = (await api('POST', 'agent/goals', { title: 'Over night', agentName: 'robot', approvalPolicy: 'before_execute' })).body.data;
    const ask = async (sku: string): Promise<Body> => (await api('POST', `agent/runs/${runId}/tool-calls`, { tool: 'createItem', arguments: { collection: 'products', data: { sku, title: sku } } })).body.data;
    const [pending, declined] = [await ask('PENDING'), await ask('DECLINED')];
    await api('POST', `agent/approvals/${declined.approvalId}/decide`, { decision: 'rejected', reason: 'No' });
    await api('PUT', 'settings', { approvalExpiryMsByKind: { tool_call: 4_000 } });
    const due = await ask('DUE');
    const { expiresAt } = (await api('GET', `agent/approvals/${due.approvalId}`)).body.data;
    await Promise.all([server.kill(), second.kill()]);
    await eventually(() => Promise.resolve(Date.now()), (now) => now > Date.parse(expiresAt as string) + 500);
    [server, second] = await Promise.all([processes.start(environment), processes.start(environment)]);
    await eventually(async () => (await api('GET', `agent/approvals/${due.approvalId}`)).body.data.status as string, (status) => status === 'expired', 40_000);
    expect((await api('POST', `agent/approvals/${due.approvalId}/decide`, { decision: 'approved' })).body.code).toBe('ALREADY_DECIDED');
    expect((await api('POST', `agent/approvals/${declined.approvalId}/decide`, { decision: 'approved' })).body.code).toBe('ALREADY_DECIDED');
    expect((await api('POST', `agent/approvals/${pending.approvalId}/decide`, { decision: 'approved' })).body.data.call.status).toBe('executed');
    await server.kill();
    server = second;
    expect((await api('POST', `agent/approvals/${declined.approvalId}/decide`, { decision: 'approved' })).body.code).toBe('ALREADY_DECIDED');
    const all = await eventually(events, (list) => list.some(({ type, data }) => type === 'ItemCreated' && data.data.sku === 'PENDING'), 40_000);
    expect(all.filter(({ type }) => type === 'ApprovalExpired')).toMatchObject([{ data: { dueAt: expiresAt } }]);
    expect(Date.parse(all.find(({ type }) => type === 'ApprovalExpired')!.data.expiredAt as string)).toBeGreaterThan(Date.parse(expiresAt as string));
    expect(all.filter(({ type, data }) => type === 'ItemCreated' && ['PENDING', 'DECLINED', 'DUE'].includes(data.data.sku as string)).map(({ data }) => data.data.sku as string)).toEqual(['PENDING']);
    expect(ofApproval(all.map((event) => ({ ...event, stream_id: event.streamId as string })), due.approvalId as string)).toEqual(['ApprovalRequested', 'ApprovalExpired']);
  });
});
