import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';
import { serverDatabase, type TestDatabase } from '../database';
import { CountingServer } from './counting-server';
import { eventually } from './eventually';
import { everyText } from './every-text';
import { Processes, urlOf, type ReadyProcess } from './processes';
import { ADMIN_KEY, apiAt, type Api, type Body } from './server';

export const MASK = '••••••';
export const MASTER = 'ab'.repeat(32);

/** Three that stand under a name, and three that give themselves away wherever they stand. */
export const PLANTED = {
  password: 'correct-horse-battery-staple', nested: 'swordfish-for-the-back-door', edited: 'open-sesame-said-the-reviewer',
  github: `ghp_${'q7'.repeat(18)}`, url: 'tiger-in-the-connection-string', bearer: 'Zm9vYmFyYmF6cXV4MTIz',
};
const SECRETS = Object.values(PLANTED);

/** As a copy of the database, a proxy or a log would show them. */
const formsOf = (secret: string) => [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64').replace(/=+$/, ''), encodeURIComponent(secret)];
export const foundIn = (text: string) => SECRETS.filter((secret) => formsOf(secret).some((form) => text.includes(form)));

export const ARGUMENTS = {
  user: 'ada', password: PLANTED.password, options: { retry: 2, headers: [{ Authorization: `Bearer ${PLANTED.bearer}` }], credentials: { pin: PLANTED.nested } },
  note: `clone with ${PLANTED.github} or https://ada:${PLANTED.url}@git.example/x`,
};
export const SHOWN = { user: 'ada', password: MASK, options: { retry: 2, headers: [{ Authorization: MASK }], credentials: { pin: MASK } }, note: `clone with ${MASK} or https://ada:${MASK}@git.example/x` };

/**
 * A server process with the tool `login`, which is outside of it, and an agent that calls it with secrets. Started before the specs of a file
 * and stopped after them; whatever the server says meanwhile is kept.
 */
export const secretCalls = () => {
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
    database = await serverDatabase();
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
      kind: 'http', description: 'Logs in somewhere.', requiredCapabilities: ['items:update'], risk: 'write', irreversible: false, http: { url: `${outside.url}/login`, headers: { 'X-Crm': 'secret://crm' } },
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
    (await agent('POST', `agent/runs/${runId}/tool-calls`, { tool: 'login', arguments: args, ...(callId !== undefined && { callId }) }, { 'idempotency-key': randomUUID() })).body as Body;
  const park = async (runId: string, args: Body = ARGUMENTS) => {
    const { status, approvalId, callId } = (await call(runId, args)).data;
    expect(status).toBe('pending_approval');
    return { approvalId: approvalId as string, callId: callId as string };
  };
  const decide = (approvalId: string, body: Body = { decision: 'approved' }) => admin('POST', `agent/approvals/${approvalId}/decide`, body);
  const keysOf = async (runId: string) => (await pool.query<{ subject: string }>('SELECT subject FROM vault_key WHERE subject LIKE $1', [`call:${runId}/%`])).rows.length;
  const keysGone = async (runId: string) => expect(await eventually(() => keysOf(runId), (left) => left === 0)).toBe(0);
  const eventsOf = async (runId: string): Promise<Body[]> => (await agent('GET', `agent/runs/${runId}/events`)).body.data;
  const sentTo = () => outside.received.map(({ body }) => (body as { arguments: Body }).arguments as Body);
  /** Looks everywhere, also where the specs of the file did not look. */
  const traces = async () => {
    const runs = (await pool.query<{ stream_id: string }>(`SELECT DISTINCT stream_id FROM es_event WHERE stream_id LIKE 'run-%'`)).rows.map(({ stream_id: id }) => id.slice(4));
    for (const runId of runs) {
      await agent('GET', `agent/runs/${runId}`);
      await eventsOf(runId);
      const stream = await fetch(`${server.url}/api/v1/agent/runs/${runId}/stream`, { headers: { authorization: `Bearer ${ADMIN_KEY}` } });
      const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
      told.push((await reader.read()).value ?? '');
      await reader.cancel();
    }
    for (const path of ['audit/events?limit=200', 'agent/approvals?limit=200', 'agent/activity?limit=200', 'agent/goals', 'agent/runs', 'agent/incidents', 'agent/tools', '/metrics']) await admin('GET', path);
    const last = await admin('GET', 'agent/replay/verify');
    expect(last.text).toContain('"ok":true');
    const lines = await eventually(() => Promise.resolve(printed.map((output) => output()).join('\n')), (now) => now.includes(last.headers.get('x-request-id')!));
    expect(lines).toContain('/api/v1/agent/runs/:runId/tool-calls');
    expect(told.length).toBeGreaterThan(50);
    return { rows: foundIn(await everyText(pool)), answers: foundIn(told.join('\n')), lines: foundIn(lines) };
  };

  return {
    traces, printed, told, start, useServer, open, asking, call, park, decide, keysOf, keysGone, eventsOf, sentTo, processes,
    outside: () => outside, pool: () => pool, server: () => server, environment: () => environment,
    admin: (...args: Parameters<Api>) => admin(...args), agent: (...args: Parameters<Api>) => agent(...args),
  };
};
