import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { serverDatabase, type TestDatabase } from '../database';
import { CountingServer } from './counting-server';
import { until } from './machine';
import { Processes, urlOf, type ReadyProcess } from './processes';
import { ADMIN_KEY, apiAt, type Api, type Body } from './server';

const HAPPENED = { answer: 'happened', result: { sent: true }, reason: 'The receipt is there' };

describe('A call whose process was killed', () => {
  const processes = new Processes();
  let outside: CountingServer;
  let database: TestDatabase;
  let folder: string;
  let server: ReadyProcess;
  let admin: Api;
  const start = async () => {
    server = await processes.start({ DATABASE_URL: urlOf(database), HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, LOG_LEVEL: 'warn', HARNESS_HEARTBEAT_EXPIRES_MS: '4000' }, folder);
    admin = apiAt(server.url)(ADMIN_KEY);
  };
  const register = (name: string, more: Body) => admin('PUT', `agent/tools/${name}`, {
    kind: 'http', description: 'Counts', inputSchema: { type: 'object' }, requiredCapabilities: ['items:update'], irreversible: false, timeoutMs: 120_000,
    http: { url: `${outside.url}/${name}` }, ...more,
  });

  beforeAll(async () => {
    outside = await CountingServer.start();
    database = await serverDatabase();
    folder = processes.directory();
    await start();
    await admin('PUT', 'settings', { outbound: { allowHosts: [outside.host] } });
    expect((await register('send', { risk: 'write' })).status).toBe(200);
    expect((await register('lookUp', { risk: 'read' })).status).toBe(200);
    expect((await register('put', { risk: 'write', idempotent: true })).status).toBe(200);
  });
  afterEach(() => outside.reset());
  afterAll(async () => {
    await processes.cleanUp();
    await outside.close();
    await database.drop();
  });

  const open = async (): Promise<string> => (await admin('POST', 'agent/goals', { title: 'Work', agentName: 'robot' })).body.data.runId as string;
  const run = async (runId: string): Promise<Body> => (await admin('GET', `agent/runs/${runId}`)).body.data;
  const call = (runId: string, tool: string, callId: string) => admin('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: {}, callId });
  /** The process dies when the tool has the call and has not answered; then another process starts. */
  const lose = async (tool: string): Promise<string> => {
    const runId = await open();
    const release = outside.hold();
    const lost = call(runId, tool, 'once').catch(() => undefined);
    await outside.until(1);
    await server.kill();
    await lost;
    release();
    await start();
    return runId;
  };
  const after = (runId: string, status: string) => until(
    async () => {
      const found = (await run(runId)).toolCalls.find(({ callId }: Body) => callId === 'once');
      return found?.status === status ? (found as Body) : undefined;
    },
    () => `the call of ${runId} to be ${status}`, 60_000,
  );

  it.each(['lookUp', 'put'])('[RUN-048] is made again under its own id when that does no harm: %s', async (tool) => {
    const runId = await lose(tool);
    await after(runId, 'executed');
    expect([...outside.counts()]).toEqual([[`${runId}/once`, 2]]);
    expect((await call(runId, tool, 'once')).body.data).toMatchObject({ status: 'executed', result: { done: `${runId}/once` } });
    expect(outside.received).toHaveLength(2);
    expect((await run(runId)).budgetUsed.toolCalls).toBe(1);
    // The door was asked each time before the tool was.
    const events = (await admin('GET', `agent/runs/${runId}/events?limit=100`)).body.data as Body[];
    expect(events.filter(({ type, data }) => type === 'ToolCallAuthorised' && data.callId === 'once')).toHaveLength(2);
  });

  it('[RUN-049] [RUN-047] is left in doubt when it may have happened; what a person says then settles it, and nothing runs twice', async () => {
    const runId = await lose('send');
    const { approvalId } = await after(runId, 'indeterminate');
    expect(await run(runId)).toMatchObject({ status: 'awaiting_approval' });
    expect((await call(runId, 'send', 'once')).body.data).toMatchObject({ status: 'indeterminate', rule: 'worker_lost', approvalId });
    const person = (await admin('POST', 'api-keys', { name: 'Ada', kind: 'human', capabilities: ['approvals:decide'] })).body.data;
    const robot = (await admin('POST', 'api-keys', { name: 'Bot', kind: 'agent', capabilities: ['approvals:decide'] })).body.data;
    const [ada, bot] = [apiAt(server.url)(person.key as string), apiAt(server.url)(robot.key as string)];
    expect((await bot('POST', `agent/runs/${runId}/tool-calls/once/resolve`, HAPPENED)).status).toBe(403);
    expect((await ada('POST', `agent/runs/${runId}/tool-calls/once/resolve`, { answer: 'failed' })).status).toBe(422);
    const told = await ada('POST', `agent/runs/${runId}/tool-calls/once/resolve`, HAPPENED);
    expect([told.status, told.body.data.status, told.body.data.result]).toEqual([200, 'executed', { sent: true }]);
    expect((await ada('POST', `agent/runs/${runId}/tool-calls/once/resolve`, HAPPENED)).body.code).toBe('ALREADY_DECIDED');
    expect((await call(runId, 'send', 'once')).body.data).toMatchObject({ status: 'executed', result: { sent: true } });
    expect([...outside.counts()]).toEqual([[`${runId}/once`, 1]]);
    expect((await run(runId)).status).toBe('running');
  });

  it('[RUN-021] fails its run as unverified when nobody says anything until the approval expires', async () => {
    await admin('PUT', 'settings', { approvalExpiryMsByKind: { tool_call: 1_000 } });
    const runId = await lose('send');
    const ended = await until(async () => {
      const found = await run(runId);
      return found.status === 'failed' ? found : undefined;
    }, () => `the end of ${runId}`, 60_000);
    expect(ended).toMatchObject({ status: 'failed', stopReason: 'stale_unverified', toolCalls: [{ status: 'failed' }] });
    const types = (await admin('GET', `agent/runs/${runId}/events`)).body.data.map(({ type }: Body) => type as string) as string[];
    expect(types).toEqual(expect.arrayContaining(['ToolCallIndeterminate', 'RunParked', 'IndeterminateResolved', 'RunFailed']));
    expect([...outside.counts()]).toEqual([[`${runId}/once`, 1]]);
    await admin('PUT', 'settings', { approvalExpiryMsByKind: { tool_call: 3_600_000 } });
  });

  it('[RUN-050] runs again when a person found that it did not happen, and has failed when a person says so', async () => {
    const again = await lose('send');
    const { approvalId } = await after(again, 'indeterminate');
    const person = (await admin('POST', 'api-keys', { name: 'Ada', kind: 'human', capabilities: ['approvals:decide'] })).body.data;
    const ada = apiAt(server.url)(person.key as string);
    const decided = await ada('POST', `agent/approvals/${approvalId}/decide`, { decision: 'approved', reason: 'Nothing arrived' });
    expect(decided.body.data).toMatchObject({ status: 'approved', call: { status: 'executed', result: { done: `${again}/once` } } });
    expect([...outside.counts()]).toEqual([[`${again}/once`, 2]]);
    outside.reset();

    const failed = await lose('send');
    await after(failed, 'indeterminate');
    const told = await apiAt(server.url)(person.key as string)('POST', `agent/runs/${failed}/tool-calls/once/resolve`, { answer: 'failed', reason: 'The line was cut' });
    expect(told.body.data).toMatchObject({ status: 'failed', reason: 'The line was cut' });
    expect([...outside.counts()]).toEqual([[`${failed}/once`, 1]]);
    const verdict = (await admin('GET', 'agent/replay/verify')).text.split('\n\n').findLast((sent) => sent.includes('event: verdict'));
    expect(verdict).toContain('"ok":true');
  });
});

describe('A queued run whose worker was killed', () => {
  it('[RUN-044] loses its lease and is carried out by another worker', async () => {
    const processes = new Processes();
    const outside = await CountingServer.start();
    const database = await serverDatabase();
    try {
      const environment = { DATABASE_URL: urlOf(database), HARNESS_BOOTSTRAP_KEY: ADMIN_KEY, LOG_LEVEL: 'log', HARNESS_MASTER_KEY: 'ab'.repeat(32), HARNESS_HEARTBEAT_EXPIRES_MS: '4000' };
      const gateway = await processes.start({ ...environment, HARNESS_ROLES: 'gateway' });
      const worker = await processes.start({ ...environment, HARNESS_ROLES: 'worker' });
      const admin = apiAt(gateway.url)(ADMIN_KEY);
      await admin('PUT', 'settings', { outbound: { allowHosts: [outside.host] } });
      await admin('PUT', 'agent/tools/fetchIt', {
        kind: 'http', description: 'Counts', inputSchema: { type: 'object' }, requiredCapabilities: ['items:update'], risk: 'read', timeoutMs: 120_000, http: { url: `${outside.url}/fetch` },
      });
      const release = outside.hold();
      const { runId } = (await admin('POST', 'agent/goals', { title: 'Later', agentName: 'robot', execution: 'async', task: { skillName: 'fetchIt', arguments: {} } })).body.data;
      await outside.until(1);
      await worker.kill();
      release();
      await processes.start({ ...environment, HARNESS_ROLES: 'worker' });
      const run = await until(async () => {
        const { data } = (await admin('GET', `agent/runs/${runId}`)).body;
        return data.status === 'succeeded' ? (data as Body) : undefined;
      }, () => 'the run to succeed', 60_000);
      expect(run.toolCalls).toMatchObject([{ status: 'executed' }]);
      const types = (await admin('GET', `agent/runs/${runId}/events`)).body.data.map(({ type }: Body) => type as string) as string[];
      expect(types.filter((type) => type === 'LeaseTaken').length + types.filter((type) => type === 'LeaseLost').length).toBeGreaterThanOrEqual(1);
      expect(types.filter((type) => type === 'RunStarted')).toHaveLength(1);
    } finally {
      await processes.cleanUp();
      await outside.close();
      await database.drop();
    }
  });
});
