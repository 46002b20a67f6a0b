import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { testDatabase, type TestDatabase } from '../database';
import { CountingServer } from './counting-server';
import { eventually } from './eventually';
import { everyText } from './every-text';
import { Processes, urlOf, type ReadyProcess } from './processes';
import { ADMIN_KEY, apiAt, type Api, type Body } from './server';

const MASK = '••••••';
const MASTER = 'ab'.repeat(32);

/** Three that stand under a name, and three that give themselves away wherever they stand. */
const PLANTED = {
  password: 'correct-horse-battery-staple', nested: 'swordfish-for-the-back-door', edited: 'open-sesame-said-the-reviewer',
  github: `ghp_${'q7'.repeat(18)}`, url: 'tiger-in-the-connection-string', bearer: 'Zm9vYmFyYmF6cXV4MTIz',
};
const SECRETS = Object.values(PLANTED);

/** As a copy of the database, a proxy or a log would show them. */
const traces = (secret: string) => [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64').replace(/=+$/, ''), encodeURIComponent(secret)];
const foundIn = (text: string) => SECRETS.filter((secret) => traces(secret).some((trace) => text.includes(trace)));

const ARGUMENTS = {
  user: 'ada', password: PLANTED.password, options: { retry: 2, headers: [{ Authorization: `Bearer ${PLANTED.bearer}` }], credentials: { pin: PLANTED.nested } },
  note: `clone with ${PLANTED.github} or https://ada:${PLANTED.url}@git.example/x`,
};
const SHOWN = { user: 'ada', password: MASK, options: { retry: 2, headers: [{ Authorization: MASK }], credentials: { pin: MASK } }, note: `clone with ${MASK} or https://ada:${MASK}@git.example/x` };

describe('A call with secrets in its arguments', () => {
  const processes = new Processes();
  let database: TestDatabase;
  let pool: Pool;
  let outside: CountingServer;
  let server: ReadyProcess;
  let admin: Api;
  let agent: Api & { readonly id?: string };
  let environment: Record<string, string>;
  const printed: (() => string)[] = [];
  const told: string[] = [];

  /** Whatever the server answers is kept, to be searched in the end. */
  const listening = (api: Api): Api => Object.assign(async (...args: Parameters<Api>) => {
    const answer = await api(...args);
    told.push(answer.text, [...answer.headers.values()].join('\n'));
    return answer;
  }, { key: api.key });
  const start = async (more: Record<string, string> = {}) => {
    const started = await processes.start({ ...environment, LOG_LEVEL: 'verbose', ...more });
    printed.push(() => started.output());
    return started;
  };
  const useServer = async (started: ReadyProcess, key?: string) => {
    server = started;
    admin = listening(apiAt(server.url)(ADMIN_KEY));
    agent = listening(apiAt(server.url)(key ?? agent.key));
  };
  beforeAll(async () => {
    database = await testDatabase();
    pool = new Pool({ ...database, max: 2 });
    pool.on('error', () => undefined);
    outside = await CountingServer.start();
    environment = { DATABASE_URL: urlOf(database), HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, HARNESS_MASTER_KEY: MASTER };
    const started = await start();
    const boss = apiAt(started.url)(ADMIN_KEY);
    const { key } = (await boss('POST', 'api-keys', { name: 'robot', kind: 'agent', capabilities: ['items:update'] })).body.data as { key: string };
    await useServer(started, key);
    await admin('PUT', 'settings', { outbound: { allowHosts: [outside.host] }, secrets: { crm: 'of-the-crm-and-nobody-else', 'webhook-signing': 'whsec' } });
    const login = await admin('PUT', 'agent/tools/login', {
      kind: 'http', description: 'Logs in somewhere.', requiredCapabilities: ['items:update'], risk: 'write', http: { url: `${outside.url}/login`, headers: { 'X-Crm': 'secret://crm' } },
      inputSchema: { type: 'object', properties: { user: { type: 'string' }, password: { type: 'string', minLength: 4 }, again: { type: 'boolean', default: false } }, required: ['user'] },
    });
    expect(login.status).toBe(200);
  });
  afterEach(() => outside.reset());
  afterAll(async () => {
    await processes.cleanUp();
    await outside.close();
    await pool.end();
    await database.drop();
  });

  const open = async (more: Body = {}) => (await agent('POST', 'agent/goals', { title: 'Log in', agentName: 'robot', ...more })).body.data as Body;
  const asking = () => open({ approvalPolicy: 'before_execute' });
  const call = async (runId: string, args: Body, callId?: string) =>
    (await agent('POST', `agent/runs/${runId}/tool-calls`, { tool: 'login', arguments: args, ...(callId !== undefined && { callId }) })).body as Body;
  const park = async (runId: string, args: Body = ARGUMENTS) => {
    const { status, approvalId, callId } = (await call(runId, args)).data;
    expect(status).toBe('pending_approval');
    return { approvalId: approvalId as string, callId: callId as string };
  };
  const decide = (approvalId: string, body: Body = { decision: 'approved' }) => admin('POST', `agent/approvals/${approvalId}/decide`, body);
  const keysOf = async (runId: string) => (await pool.query<{ subject: string }>('SELECT subject FROM vault_key WHERE subject LIKE $1', [`call:${runId}/%`])).rows.length;
  const keysGone = (runId: string) => eventually(() => keysOf(runId), (left) => left === 0);
  const eventsOf = async (runId: string): Promise<Body[]> => (await agent('GET', `agent/runs/${runId}/events`)).body.data;
  const sentTo = () => outside.received.map(({ body }) => (body as { arguments: Body }).arguments as Body);

  it('[APPR-003] [APPR-019] [APPR-020] [DOOR-015] is shown masked, runs as it was asked for, and its key is destroyed with its outcome', async () => {
    const { runId, goalId } = await asking();
    const { approvalId, callId } = await park(runId);
    expect(await keysOf(runId)).toBe(1);
    const shown = (await admin('GET', `agent/approvals/${approvalId}`)).body.data as Body;
    expect(shown).toMatchObject({
      kind: 'tool_call', subject: 'login', goalId, runId, callId, domain: 'items', arguments: { ...SHOWN, again: false }, policy: 'before_execute', quorum: 1, status: 'pending', agentRole: null,
      requestedAt: expect.any(String), expiresAt: expect.any(String), autoCommitAt: null, approverType: null, approverRunId: null, reason: null, decidedAt: null, deepLink: expect.stringContaining(approvalId),
    });
    expect(shown).not.toHaveProperty('sealed');
    expect((await admin('GET', 'agent/approvals?status=pending')).body.data).toEqual([expect.objectContaining({ arguments: { ...SHOWN, again: false } })]);
    expect(foundIn(await everyText(pool))).toEqual([]);

    expect((await decide(approvalId, { decision: 'approved', actionDigest: shown.actionDigest })).body.data).toMatchObject({ status: 'approved', call: { status: 'executed' } });
    expect(sentTo()).toEqual([{ ...ARGUMENTS, again: false }]);
    expect(outside.received[0]!.headers['x-crm']).toBe('of-the-crm-and-nobody-else');
    await keysGone(runId);
    const recorded = (await eventsOf(runId)).filter(({ data }) => data.arguments !== undefined);
    expect(recorded.map(({ type, data }) => [type, data.arguments, data.masked, data.argumentsHash])).toEqual(
      ['ToolCallParked', 'ToolCallAuthorised'].map((type) => [type, { ...SHOWN, again: false }, true, expect.stringMatching(/^[0-9a-f]{64}$/)]));
    expect(recorded[1]!.data).toMatchObject({ argumentsHash: recorded[0]!.data.argumentsHash, actionDigest: shown.actionDigest, autonomy: 2, capability: 'items:update', budgetBefore: { toolCalls: 1 } });
  });

  it('[APPR-019] runs as it was asked for although the process that took it died meanwhile', async () => {
    const { runId } = await asking();
    const { approvalId } = await park(runId);
    await server.kill();
    await useServer(await start());
    expect((await decide(approvalId)).body.data.call.status).toBe('executed');
    expect(sentTo()).toEqual([{ ...ARGUMENTS, again: false }]);
    await keysGone(runId);
  });

  it('waits again with its secrets when the approved call fails, until it succeeds', async () => {
    const { runId } = await asking();
    const { approvalId } = await park(runId);
    outside.answer = ({ text }) => ({ status: 500, body: text });
    expect((await decide(approvalId)).body.data).toMatchObject({ status: 'pending', call: { status: 'pending_approval' } });
    await decide(approvalId, { decision: 'approved', arguments: { user: 'eve', password: PLANTED.edited } });
    expect(await keysOf(runId)).toBeGreaterThan(0);
    outside.reset();
    expect((await decide(approvalId)).body.data.call.status).toBe('executed');
    expect(sentTo()).toEqual([{ ...ARGUMENTS, again: false }]);
    await keysGone(runId);
  });

  it('runs with the exact arguments of a reviewer who wrote others', async () => {
    const { runId } = await asking();
    const { approvalId } = await park(runId);
    expect((await decide(approvalId, { decision: 'approved', arguments: { user: 'ada', password: PLANTED.edited } })).body.data.call.status).toBe('executed');
    expect(sentTo()).toEqual([{ user: 'ada', password: PLANTED.edited, again: false }]);
    expect((await admin('GET', `agent/approvals/${approvalId}`)).body.data).toMatchObject({ arguments: SHOWN, approvedArguments: { user: 'ada', password: MASK } });
    await keysGone(runId);
  });

  it.each<[string, (runId: string, approvalId: string) => Promise<unknown>]>([
    ['rejected', (_runId, approvalId) => decide(approvalId, { decision: 'rejected', reason: 'Not today' })],
    ['sent back', (_runId, approvalId) => decide(approvalId, { decision: 'changes_requested', reason: 'Not like this' })],
    ['left behind by a run that completes', (runId) => agent('POST', `agent/runs/${runId}/complete`, { result: { note: `used ${PLANTED.github}` } })],
    ['left behind by a run that is cancelled', (runId) => agent('POST', `agent/runs/${runId}/cancel`, {})],
    ['denied at the door when it is approved', async (_runId, approvalId) => {
      await admin('PUT', 'agent/policies', { rules: [{ name: 'no logins', when: { tool: 'login' }, then: { do: 'deny' } }] });
      await decide(approvalId);
      await admin('PUT', 'agent/policies', { rules: [] });
    }],
  ])('[APPR-019] can never be read again once it is %s', async (_what, end) => {
    const { runId } = await asking();
    const { approvalId } = await park(runId);
    await end(runId, approvalId);
    await keysGone(runId);
    expect(outside.received).toEqual([]);
  });

  it('[APPR-021] is refused when it sends a mask back, and so is a reviewer who does', async () => {
    const { runId } = await asking();
    const answer = (await call(runId, { user: 'ada', password: MASK, options: { deep: [`x ${MASK}`] } })).data;
    expect(answer).toMatchObject({ status: 'denied', reason: 'invalid_arguments', rule: 'input', facts: { errors: [{ path: '/password', message: expect.stringContaining('secret://name') }, { path: '/options/deep/0' }] } });
    const { approvalId } = await park(runId);
    const decided = await decide(approvalId, { decision: 'approved', arguments: SHOWN });
    expect([decided.status, decided.body.code, decided.body.facts.errors[0].pointer]).toEqual([422, 'VALIDATION_FAILED', '/arguments/password']);
    expect((await admin('GET', `agent/approvals/${approvalId}`)).body.data.status).toBe('pending');
    expect(outside.received).toEqual([]);
    await decide(approvalId);
    await keysGone(runId);
  });

  it('[DOOR-028] has its inputs, outputs and errors on record, without what it was given or what gives itself away', async () => {
    const { runId } = await open();
    outside.answer = ({ text }) => ({ body: { said: text, token: PLANTED.nested, more: [`psql postgres://a:${PLANTED.url}@h/db`], [PLANTED.github]: 1, id: 7 } });
    const one = (await call(runId, ARGUMENTS, 'one')).data;
    expect(one).toMatchObject({ status: 'executed', result: { token: MASK, more: [`psql postgres://a:${MASK}@h/db`], [MASK]: 1, id: 7 } });
    expect(await call(runId, ARGUMENTS, 'one')).toMatchObject({ data: one });
    expect(await call(runId, { ...ARGUMENTS, password: 'another-password' }, 'one')).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    outside.answer = () => ({ status: 400, body: `the password ${PLANTED.password} is wrong` });
    expect((await call(runId, ARGUMENTS, 'two')).data).toMatchObject({ status: 'failed' });
    expect((await call(runId, { ...ARGUMENTS, user: 7 }, 'three')).data).toMatchObject({ status: 'denied', reason: 'invalid_arguments' });
    const recorded = (await eventsOf(runId)).filter(({ type }) => /^ToolCall(Authorised|Denied)/.test(type as string));
    expect(recorded.map(({ data }) => [data.callId, data.arguments.password, data.masked])).toEqual([['one', MASK, true], ['two', MASK, true], ['three', MASK, true]]);
    expect(new Set(recorded.slice(0, 2).map(({ data }) => data.argumentsHash)).size).toBe(1);
    await keysGone(runId);
  });

  it('is asked once when it waits already, also by two requests at once', async () => {
    const { runId } = await asking();
    const [first, second] = await Promise.all([park(runId), park(runId)]);
    expect(second).toEqual(first);
    expect(await keysOf(runId)).toBe(1);
    expect(await park(runId, { ...ARGUMENTS, password: `${PLANTED.password}!` })).not.toEqual(first);
    await decide(first.approvalId);
    expect(sentTo()).toEqual([{ ...ARGUMENTS, again: false }]);
    await agent('POST', `agent/runs/${runId}/cancel`, {});
    await keysGone(runId);
  });

  it('keeps them while its task waits for a worker', async () => {
    const { runId, runStatus } = await open({ execution: 'async', task: { skillName: 'login', arguments: ARGUMENTS } });
    expect(runStatus).toBe('queued');
    await outside.until(1);
    expect(sentTo()).toEqual([{ ...ARGUMENTS, again: false }]);
    await keysGone(runId as string);
    expect((await open({ task: { skillName: 'login', arguments: ARGUMENTS } })).result.status).toBe('executed');
  });

  it('[SEC-012] may name them instead, and the name is all that anybody but the executor ever has', async () => {
    const { runId } = await asking();
    const args = { user: 'ada', password: 'secret://crm' };
    const { approvalId } = await park(runId, args);
    expect((await admin('GET', `agent/approvals/${approvalId}`)).body.data.arguments).toEqual({ ...args, again: false });
    expect(await keysOf(runId)).toBe(0);
    expect((await decide(approvalId)).body.data.call.status).toBe('executed');
    expect(sentTo()).toEqual([{ user: 'ada', password: 'of-the-crm-and-nobody-else', again: false }]);
    expect([await everyText(pool), ...told].join('\n')).not.toContain('of-the-crm-and-nobody-else');
  });

  it('leaves no trace of them in any row, answer, stream or log line, and every decision can be taken again', async () => {
    const runs = (await pool.query<{ stream_id: string }>(`SELECT DISTINCT stream_id FROM es_event WHERE stream_id LIKE 'run-%'`)).rows.map(({ stream_id: id }) => id.slice(4));
    for (const runId of runs) {
      await agent('GET', `agent/runs/${runId}`);
      await eventsOf(runId);
      const stream = await fetch(`${server.url}/api/v1/agent/runs/${runId}/stream`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } });
      const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
      told.push((await reader.read()).value ?? '');
      await reader.cancel();
    }
    for (const path of ['audit/events?limit=200', 'agent/approvals?limit=200', 'agent/activity?limit=200', 'agent/goals', 'agent/runs', 'agent/incidents', 'agent/tools']) await admin('GET', path);
    const verdict = await admin('GET', 'agent/replay/verify');
    expect(verdict.text).toContain('"ok":true');
    const rows = await everyText(pool);
    const lines = printed.map((output) => output()).join('\n');
    expect(told.length).toBeGreaterThan(100);
    expect(lines).toContain('/api/v1/agent/runs/:runId/tool-calls');
    expect({ rows: foundIn(rows), answers: foundIn(told.join('\n')), lines: foundIn(lines) }).toEqual({ rows: [], answers: [], lines: [] });
  });

  it('is safe from a process with another master key, which does not start, until the key is replaced', async () => {
    const { runId } = await asking();
    const { approvalId } = await park(runId);
    const next = 'cd'.repeat(32);
    const wrong = await processes.launch({ ...environment, PORT: '0', HARNESS_MASTER_KEY: next });
    expect(await wrong.exited).toMatchObject({ code: 1 });
    expect(wrong.output()).toMatch(/^This database was sealed with another master key\. Give every process the same HARNESS_MASTER_KEY[^\n]*\n$/m);
    await server.stop();
    await useServer(await start({ HARNESS_MASTER_KEY: next, HARNESS_PREVIOUS_MASTER_KEY: MASTER }));
    expect((await decide(approvalId)).body.data.call.status).toBe('executed');
    expect(sentTo()).toEqual([{ ...ARGUMENTS, again: false }]);
    expect(printed.map((output) => output()).join('\n')).not.toMatch(new RegExp(`${MASTER}|${next}`));
  });
});
