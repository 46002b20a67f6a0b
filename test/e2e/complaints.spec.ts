import { afterAll, describe, expect, it } from '@jest/globals';
import { Harness } from '@app/sdk';
import { serverDatabase, type TestDatabase } from '../database';
import { eventually } from './eventually';
import { jobs } from './jobs';
import { Processes, urlOf } from './processes';
import { ADMIN_KEY, apiAt, type Api, type Body } from './server';

/** What people complain about in other approval systems, tried on this one. */
describe('Complaints about approvals elsewhere', () => {
  const { ran, server, agent, reviewer, open, eventsOf, newItem } = jobs();
  const asking = () => open({ approvalPolicy: 'before_execute' });
  const decide = (id: string, body: Record<string, unknown>, as: Api = reviewer(), headers: Record<string, string> = {}) => as('POST', `agent/approvals/${id}/decide`, body, headers);
  const rules = (list: Body[]) => server().admin('PUT', 'agent/policies', { rules: list });

  it('1: a declined call ran, because the rule that asked was gone when the run went on', async () => {
    await rules([{ name: 'ask', when: { tool: 'note' }, then: { do: 'ask' } }]);
    const { call, runId } = await open();
    const { approvalId } = (await call('note', { word: 'declined' }, 'c-1')).data;
    await decide(approvalId, { decision: 'rejected', reason: 'No' });
    await rules([]);
    expect((await call('note', { word: 'declined' }, 'c-1')).data).toMatchObject({ status: 'denied', reason: 'rejected' });
    expect((await decide(approvalId, { decision: 'approved' })).body.code).toBe('ALREADY_DECIDED');
    await agent()('POST', `agent/runs/${runId}/complete`, {});
    expect(ran.includes('declined')).toBe(false);
  });

  it('[APPR-013] 2: a decision hit whatever was pending, not what the person saw', async () => {
    const { call } = await asking();
    const [first, second] = [(await call('note', { word: 'first seen' }, 'a')).data, (await call('note', { word: 'second' }, 'b')).data];
    const mixed = await decide(second.approvalId, { decision: 'approved', actionDigest: first.actionDigest });
    expect([mixed.status, mixed.body.code]).toEqual([409, 'ACTION_CHANGED']);
    expect(['first seen', 'second'].some((word) => ran.includes(word))).toBe(false);
    await decide(first.approvalId, { decision: 'approved', actionDigest: first.actionDigest });
    expect([ran.includes('first seen'), ran.includes('second')]).toEqual([true, false]);
    expect((await reviewer()('GET', `agent/approvals/${second.approvalId}`)).body.data.status).toBe('pending');
  });

  it('3: what held when it was approved no longer held when it ran', async () => {
    const robot = await server().newKey({ capabilities: ['items:update'], agentRole: 'Translator' });
    const { runId } = (await robot('POST', 'agent/goals', { title: 'Changing', agentName: 'robot', approvalPolicy: 'before_execute' })).body.data;
    const ask = async (word: string) => (await robot('POST', `agent/runs/${runId}/tool-calls`, { tool: 'note', arguments: { word } })).body.data as Body;
    const [redefined, frozen] = [await ask('redefined'), await ask('frozen')];
    await server().admin('PUT', 'agent/tools/note', { description: 'Notes a word, loudly.' });
    expect((await decide(redefined.approvalId, { decision: 'approved' })).body.code).toBe('ACTION_CHANGED');
    const denied = await ask('forbidden by then');
    await rules([{ name: 'no notes', when: { tool: 'note' }, then: { do: 'deny' } }]);
    expect((await decide(denied.approvalId, { decision: 'approved' })).body.data.call).toMatchObject({ status: 'denied', reason: 'policy_denied' });
    await rules([]);
    const { freezeId } = (await server().admin('POST', 'agent/kill-switch', { scope: 'role', targetId: 'Translator' })).body.data;
    const late = await decide(frozen.approvalId, { decision: 'approved' });
    expect(late.body.data?.call?.status ?? late.body.code).not.toBe('executed');
    await server().admin('POST', 'agent/kill-switch/lift', { freezeId });
    expect(ran.some((word) => ['redefined', 'frozen', 'forbidden by then'].includes(word))).toBe(false);
    await server().admin('PUT', 'agent/tools/note', { description: 'Notes a word.' });
  });

  it('4: a client that claims an approval made the tool run', async () => {
    const { call, runId } = await asking();
    const { approvalId, actionDigest } = (await call('note', { word: 'forged' }, 'c')).data;
    const claims = [
      { tool: 'note', arguments: { word: 'forged' }, callId: 'c', approvalId, approved: true },
      { tool: 'note', arguments: { word: 'forged' }, callId: 'c', messages: [{ role: 'tool', content: { type: 'tool-approval-response', approvalId, approved: true } }] },
    ];
    for (const body of claims) expect((await agent()('POST', `agent/runs/${runId}/tool-calls`, body)).status).toBe(422);
    expect((await call('note', { word: 'forged' }, 'c')).data).toMatchObject({ status: 'pending_approval', actionDigest });
    expect((await decide(approvalId, { decision: 'approved' }, agent())).status).toBe(403);
    expect(ran.includes('forged')).toBe(false);
  });

  it('5: the answer of a person was used up by a call that then failed', async () => {
    const { call, runId } = await asking();
    const { approvalId, callId } = (await call('breakThings')).data;
    for (let n = 0; n < 2; n++) expect((await decide(approvalId, { decision: 'approved' })).body.data).toMatchObject({ status: 'pending', call: { reason: 'The press is jammed' } });
    expect((await agent()('GET', `agent/runs/${runId}`)).body.data).toMatchObject({ status: 'awaiting_approval', approvals: [approvalId], toolCalls: [{ callId, status: 'pending_approval' }] });
    expect((await decide(approvalId, { decision: 'rejected', reason: 'It does not work' })).body.data.status).toBe('rejected');
  });

  it('6: retries made a second card, or ran a call twice', async () => {
    const { call, runId } = await asking();
    const body = { tool: 'note', arguments: { word: 'retried' } };
    const post = () => agent()('POST', `agent/runs/${runId}/tool-calls`, body, { 'idempotency-key': 'retry-1' });
    const [one, two] = await Promise.all([post(), post()]);
    expect(two.body.data).toEqual(one.body.data);
    expect((await call('note', { word: 'retried' })).data.approvalId).toBe(one.body.data.approvalId);
    const cards = (await reviewer()('GET', `agent/approvals?runId=${runId}`, undefined, { 'x-min-position': String(await server().head()) })).body.data;
    expect(cards).toHaveLength(1);
    const approve = () => decide(one.body.data.approvalId as string, { decision: 'approved' }, reviewer(), { 'idempotency-key': 'decide-1' });
    const answers = [...(await Promise.all([approve(), approve()])), await approve()];
    expect(answers.map(({ status, text }) => [status, text])).toEqual(answers.map(() => [200, answers[0]!.text]));
    expect((await decide(one.body.data.approvalId as string, { decision: 'approved' })).status).toBe(409);
    expect(ran.filter((word) => word === 'retried')).toHaveLength(1);
  });

  it('7: nobody could change the arguments while approving', async () => {
    const { call, runId } = await asking();
    const id = await newItem((await open()).call, 'Old');
    const asked = (await call('updateItem', { collection: 'products', id, data: { title: 'New tittle' } })).data;
    const decided = await decide(asked.approvalId, { decision: 'approved', arguments: { collection: 'products', id, data: { title: 'New title' } } });
    expect(decided.body.data.call).toMatchObject({ status: 'executed', result: { data: { title: 'New title' } } });
    const authorised = (await eventsOf(runId)).find(({ type }: Body) => type === 'ToolCallAuthorised')!.data;
    expect(authorised.actionDigest).not.toBe(asked.actionDigest);
  });

  it('8: the gate was missing on some paths: tools that came later, agents of agents, tasks, tools nobody had classified', async () => {
    const { admin } = server();
    const asks = { kind: 'client', description: 'Pays', inputSchema: { type: 'object' }, requiredCapabilities: ['items:update'] };
    // A tool without a class of risk is no tool, and what is no tool does not run.
    expect((await admin('PUT', 'agent/tools/pay', asks)).status).toBe(422);
    expect((await (await open()).call('pay')).data).toMatchObject({ status: 'denied', reason: 'tool_not_registered' });
    expect((await admin('PUT', 'agent/tools/pay', { ...asks, risk: 'write', dangerous: true })).status).toBe(200);
    expect((await (await open()).call('pay')).data).toMatchObject({ status: 'pending_approval' });
    await rules([{ name: 'look', when: { tool: 'note' }, then: { do: 'ask' } }]);
    const task = { skillName: 'note', arguments: { word: 'unseen' } };
    const waits = async (runId: string) => (await agent()('GET', `agent/runs/${runId}`)).body.data as Body;
    const inTask = (await agent()('POST', 'agent/goals', { title: 'Task', agentName: 'robot', task })).body.data;
    expect(inTask.result).toMatchObject({ status: 'pending_approval' });
    const queued = (await agent()('POST', 'agent/goals', { title: 'Later', agentName: 'robot', execution: 'async', task })).body.data;
    expect((await eventually(() => waits(queued.runId), ({ status }) => status !== 'queued' && status !== 'running')).toolCalls).toMatchObject([{ tool: 'note', status: 'pending_approval' }]);
    const planner = await server().newKey({ name: 'planner', agentRole: 'Planner', capabilities: ['items:update'] });
    const { goalId } = (await planner('POST', 'agent/goals', { title: 'All', agentName: 'planner' })).body.data;
    const [part] = (await planner('POST', `agent/goals/${goalId}/decompose`, { goals: [{ title: 'A part', agentRole: 'Writer', autonomyCap: 4 }] })).body.data.goals as Body[];
    const sub = (await agent()('POST', `agent/goals/${part.goalId}/start`, { agentName: 'sub' })).body.data;
    expect((await agent()('POST', `agent/runs/${sub.runId}/tool-calls`, { tool: 'note', arguments: { word: 'unseen' } })).body.data).toMatchObject({ status: 'pending_approval' });
    expect(ran.includes('unseen')).toBe(false);
    await rules([]);
  });

  it('9: a budget was advice: a run with half a dollar spent ten times as much', async () => {
    await server().admin('PUT', 'agent/tools/note', { costUsd: 0.2 });
    const { call, runId } = await open({ budget: { maxCostUsd: 0.5, maxToolCalls: 100 } });
    const many = await Promise.all(Array.from({ length: 12 }, (_, n) => call('note', { word: `dear ${n}` }, `d-${n}`)));
    expect(many.filter(({ data }) => data?.status === 'executed')).toHaveLength(2);
    expect(ran.filter((word) => word.startsWith('dear'))).toHaveLength(2);
    const run = (await agent()('GET', `agent/runs/${runId}`)).body.data;
    expect(run).toMatchObject({ status: 'failed', stopReason: 'budget_cost' });
    expect(run.budgetUsed.costUsd).toBeLessThanOrEqual(0.5);
    await server().admin('PUT', 'agent/tools/note', { costUsd: 0 });
  });

  it('14: the kill switch said that it worked, and calls went on', async () => {
    const runs = await Promise.all(Array.from({ length: 4 }, () => open({ agentRole: 'Writer', budget: { maxToolCalls: 10_000 } })));
    let stopping = false;
    const busy = runs.map(async ({ call }) => {
      for (let n = 0; !stopping; n++) if ((await call('note', { word: 'busy' }, `b-${n}`)).data?.status !== 'executed') return true;
      return false;
    });
    await eventually(() => Promise.resolve(ran.filter((word) => word === 'busy').length), (count) => count > 20);
    const frozen = (await server().admin('POST', 'agent/kill-switch', { scope: 'role', targetId: 'Writer', reason: 'Stop' })).body.data;
    expect(frozen).toMatchObject({ scope: 'role', targetId: 'Writer', effectiveAt: expect.stringMatching(/^\d+$/), inFlight: expect.any(Array) });
    expect(await Promise.all(busy)).toEqual([true, true, true, true]);
    stopping = true;
    const ofRuns = (await server().log()).filter(({ stream_id }: Body) => runs.some(({ runId }) => stream_id === `run-${runId}`)) as Body[];
    const after = ofRuns.filter(({ position }) => BigInt(position as string) > BigInt(frozen.effectiveAt as string));
    expect(after.filter(({ type }) => type === 'ToolCallAuthorised')).toEqual([]);
    expect(after.filter(({ type, data }) => type === 'ToolCallDenied' && data.reason === 'frozen')).toHaveLength(4);
    for (const { runId } of runs) expect((await agent()('GET', `agent/runs/${runId}`)).body.data).toMatchObject({ status: 'cancelled', stopReason: 'frozen' });
    await server().admin('POST', 'agent/kill-switch/lift', { freezeId: frozen.freezeId });
  });

  it('10: nobody knew who had approved', async () => {
    const { call } = await asking();
    const { approvalId } = (await call('note', { word: 'who' })).data;
    const anonymous = await fetch(`${server().url}/api/v1/agent/approvals/${approvalId}/decide`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"decision":"approved"}' });
    expect(anonymous.status).toBe(401);
    expect((await decide(approvalId, { decision: 'approved', by: 'the boss', assurance: 'passkey' })).status).toBe(422);
    await decide(approvalId, { decision: 'approved' });
    const event = (await server().log()).find(({ type, stream_id }: Body) => type === 'ApprovalApproved' && stream_id === `approval-${approvalId}`)!;
    expect(event).toMatchObject({ data: { by: { kind: 'human', id: reviewer().id }, channel: 'api', assurance: 'api_key', decidedAt: expect.any(String) }, metadata: { actor: { id: reviewer().id } } });
  });

  it('12: approvals were not found, had no words for the agent, and a rejection did not wake it', async () => {
    const harness = new Harness({ url: server().url, key: agent().key });
    const run = await harness.goal({ title: 'Waits', agentName: 'robot', approvalPolicy: 'before_execute' });
    const asked = await run.call('note', { word: 'found' });
    const card = ((await reviewer()('GET', 'agent/approvals?status=pending', undefined, { 'x-min-position': asked.position })).body.data as Body[]).find(({ id }) => id === asked.approvalId)!;
    expect(card).toMatchObject({ deepLink: expect.stringContaining(asked.approvalId!), subject: 'note', policy: 'before_execute', requestedBy: agent().id });
    const page = await fetch(`${server().url}${(card.deepLink as string).split('#')[0]}`);
    expect(page.status).toBe(200);
    const settled = run.waitForApproval(asked.approvalId!);
    expect((await decide(asked.approvalId!, { decision: 'rejected' })).status).toBe(422);
    await decide(asked.approvalId!, { decision: 'rejected', reason: 'Use a better word' });
    expect(await settled).toMatchObject({ status: 'rejected', reason: 'Use a better word' });
  });

  it('1: nothing in the whole log was authorised by an approval but by the very command that approved it', async () => {
    const log = await server().log();
    const authorised = log.filter(({ type, data }: Body) => type === 'ToolCallAuthorised' && data.approvalId !== undefined) as Body[];
    expect(authorised.length).toBeGreaterThan(5);
    for (const { data, metadata } of authorised) {
      const approved = log.filter(({ type, stream_id, metadata: of }: Body) => type === 'ApprovalApproved' && stream_id === `approval-${data.approvalId}` && of.commandId === metadata.commandId);
      expect(approved).toMatchObject([{ data: { actionDigest: data.actionDigest } }]);
    }
  });
});

describe('Complaints about restarts elsewhere', () => {
  const processes = new Processes();
  let database: TestDatabase | undefined;
  afterAll(async () => {
    await processes.cleanUp();
    await database?.drop();
  });

  it('5: what waited for a person died with the process', async () => {
    database = await serverDatabase();
    const environment = { DATABASE_URL: urlOf(database), HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, HARNESS_MASTER_KEY: 'ab'.repeat(32) };
    const first = await processes.start(environment);
    const before = apiAt(first.url)(ADMIN_KEY);
    const { runId } = (await before('POST', 'agent/goals', { title: 'Waits', agentName: 'robot', approvalPolicy: 'before_execute' })).body.data;
    const asked = (await before('POST', `agent/runs/${runId}/tool-calls`, { tool: 'createItem', arguments: { collection: 'products', data: { sku: 'R-1', title: 'Survivor' } } })).body.data;
    await first.kill();
    const after = apiAt((await processes.start(environment)).url)(ADMIN_KEY);
    expect((await after('GET', `agent/approvals/${asked.approvalId}`)).body.data).toMatchObject({ status: 'pending', actionDigest: asked.actionDigest });
    expect((await after('POST', `agent/approvals/${asked.approvalId}/decide`, { decision: 'approved', actionDigest: asked.actionDigest })).body.data).toMatchObject({ status: 'approved', call: { callId: asked.callId, status: 'executed' } });
  });
});
