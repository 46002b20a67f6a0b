import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fs from 'node:fs';
import { z } from 'zod';
import { EventStore, PayloadSealer, PostgresEventStore, PostgresSnapshots, States, verifyChain } from '@app/event-store';
import type { Recorded } from '@app/kernel';
import { run } from '@app/runs/contract';
import { skill } from '@app/skills';
import { MasterKey, Vault } from '@app/vault';
import { catalogue, projections } from '../../apps/gateway/src/composition';
import { readConfig } from '../../apps/gateway/src/config';
import { openResources } from '../../apps/gateway/src/resources';
import { sealedPayloads } from '../../apps/gateway/src/sealed-payloads';
import { eventually } from './eventually';
import { everyText } from './every-text';
import { testServer, type Api, type Body, type TestServer } from './server';

const MASTER = '5a'.repeat(32);
const NEXT_MASTER = 'a5'.repeat(32);
const jammed = skill('press', {
  description: 'Always fails.', input: z.strictObject({ word: z.string() }), capability: 'items:update', risk: 'write', run: ({ word }) => Promise.reject(new Error(`The press is jammed by zebra-error-${word}`)),
});

describe('Forgetting a run', () => {
  let server: TestServer;
  let admin: Api;
  let agent: Api & { readonly id: string };
  const printed: string[] = [];

  beforeAll(async () => {
    const write = fs.write.bind(fs) as (...given: readonly unknown[]) => void;
    jest.spyOn(fs, 'write').mockImplementation(((fd: number, text: unknown, ...rest: readonly unknown[]) => {
      if (fd === 1) printed.push(String(text));
      write(fd, text, ...rest);
    }) as never);
    server = await testServer({ HARNESS_MASTER_KEY: MASTER, LOG_LEVEL: 'verbose' }, [jammed]);
    ({ admin } = server);
    agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:update', 'items:delete'] });
    const shell = { kind: 'client', description: 'Runs elsewhere', inputSchema: { type: 'object', properties: { command: { type: 'string', maxLength: 40 } }, required: ['command'] }, requiredCapabilities: ['items:update'], risk: 'write', irreversible: false };
    await admin('PUT', 'agent/tools/shell', shell);
    await admin('PUT', 'agent/tools/carefulShell', { ...shell, dangerous: true });
    await admin('PUT', 'settings', { contentOs: { vetoWindow: true } });
    await admin('PUT', 'agent/policies', { rules: [{ name: 'look at changes', when: { tool: 'updateItem' }, then: { do: 'ask' }, mode: 'enforce' }] });
  });
  afterAll(async () => {
    await server.close();
    jest.restoreAllMocks();
  });

  const open = async (more: Record<string, unknown> = {}): Promise<{ runId: string; goalId: string }> => (await agent('POST', 'agent/goals', { title: 'Tidy', agentName: 'robot', agentRole: 'Writer', ...more })).body.data;
  const call = async (runId: string, tool: string, args: unknown, headers?: Record<string, string>): Promise<Body> => (await agent('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: args }, headers)).body.data;
  const report = (runId: string, callId: string, body: Body) => agent('POST', `agent/runs/${runId}/tool-calls/${callId}/outcome`, body);
  const stored = async (streamIds: readonly string[]) => (await server.pool.query<Body>('SELECT type, data, leaf FROM es_event WHERE stream_id = ANY ($1) ORDER BY position', [streamIds])).rows as Body[];
  const forget = (subject: string, by = admin, headers?: Record<string, string>) => by('POST', 'privacy/forget', { subject }, headers);
  const eventsOf = async (log: EventStore, streamId: string): Promise<Recorded[]> => {
    const events: Recorded[] = [];
    for await (const event of log.read(streamId)) events.push(event);
    return events;
  };
  const rows = async (path: string): Promise<Body[]> => (await admin('GET', `${path}${path.includes('?') ? '&' : '?'}minPosition=${await server.head()}`)).body.data;

  /** A run in which something was said wherever something can be said; every word of it has `zebra` in it. */
  const talkative = async () => {
    await admin('PUT', 'agent/autonomy/grants', { agentRole: 'Writer', capability: 'items:update', level: 3 });
    const { runId, goalId } = await open();
    const item = (await call(runId, 'createItem', { collection: 'products', data: { sku: 'T-1', title: 'Before' } })).result as Body;
    const once = { 'idempotency-key': `once-${runId}` };
    const asked = await call(runId, 'shell', { command: 'zebra-argument' }, once);
    await report(runId, asked.callId as string, { status: 'executed', result: { told: 'zebra-result' } });
    const denied = await call(runId, 'shell', { command: `zebra-denied-${'x'.repeat(60)}` });
    expect(denied.status).toBe('denied');
    expect((await call(runId, 'press', { word: 'one' })).status).toBe('failed');
    const parked = await call(runId, 'carefulShell', { command: 'zebra-parked' });
    await admin('POST', `agent/approvals/${parked.approvalId as string}/decide`, { decision: 'approved', arguments: { command: 'zebra-edited' } });
    await report(runId, parked.callId as string, { status: 'executed', result: 'zebra-approved' });
    const staged = await call(runId, 'updateItem', { collection: 'products', id: item.id, data: { title: 'zebra-staged' } });
    expect([parked.status, staged.status]).toEqual(['pending_approval', 'staged']);
    await admin('POST', `agent/staged/${staged.stagingId as string}/veto`, {});
    await agent('POST', `agent/runs/${runId}/complete`, { result: { end: 'zebra-end' } });
    return { runId, goalId, once, approvalId: parked.approvalId as string, stagingId: staged.stagingId as string };
  };

  it('[PRIV-002] finds what tools were given and gave back sealed in the log: AES-256-GCM, under a key of the run that the master key wraps', async () => {
    const { runId } = await open();
    const { callId } = await call(runId, 'shell', { command: 'otter-argument' });
    await report(runId, callId as string, { status: 'executed', result: 'otter-result' });
    const [asked, answered] = (await stored([`run-${runId}`])).filter(({ type }) => /^ToolCall/.test(type as string));
    expect(JSON.stringify([asked, answered])).not.toContain('otter');
    const { $sealed } = JSON.parse(asked.data as string) as Body;
    expect($sealed).toMatchObject({ for: `run:${runId}`, in: ['arguments'] });
    const { rows: [key] } = await server.pool.query<{ wrapped: Buffer }>('SELECT wrapped FROM vault_key WHERE subject = $1', [`run:${runId}`]);
    expect(MasterKey.of(MASTER)!.unwrap(key!.wrapped, `run:${runId}`)).toHaveLength(32);
    expect(() => MasterKey.generate().unwrap(key!.wrapped, `run:${runId}`)).toThrow();
    // The same key from a command, as a key management service would have it printed.
    const environment = { DATABASE_URL: server.databaseUrl, HARNESS_DATA_DIR: server.dataDir };
    const hooked = await openResources(readConfig({ ...environment, HARNESS_MASTER_KEY_COMMAND: `printf ${MASTER}` }));
    const seen = await eventsOf(hooked.store, `run-${runId}`);
    await hooked.close();
    expect(seen.find(({ type }) => type === 'ToolCallAuthorised')!.data).toMatchObject({ arguments: { command: 'otter-argument' } });
    for (const HARNESS_MASTER_KEY_COMMAND of ['exit 3', 'printf nothing']) await expect(openResources(readConfig({ ...environment, HARNESS_MASTER_KEY_COMMAND }))).rejects.toThrow(/HARNESS_MASTER_KEY_COMMAND/);
    expect((await rows(`agent/runs/${runId}/events`)).find(({ type }) => type === 'ToolCallSucceeded')!.data).toMatchObject({ result: 'otter-result' });
  });

  it('[PRIV-003] [PRIV-004] [PRIV-005] makes its words unreadable in log, snapshots, read models and exports; none is found anywhere, and the chain verifies', async () => {
    const { runId, goalId, once, approvalId, stagingId } = await talkative();
    const failing = await open({ task: { skillName: 'press', arguments: { word: 'two' } } });
    const key = await new Vault(server.pool, MasterKey.of(MASTER)!).payloadsOn(server.pool);
    const store = await new PostgresEventStore({ connection: { connectionString: server.databaseUrl }, catalogue, sealing: { payloads: sealedPayloads, subjects: key } }).start();
    try {
      const snapshots = new PostgresSnapshots(server.pool);
      const { state, version, position } = await new States(store, snapshots).load(run, failing.runId);
      await snapshots.save(`run-${failing.runId}`, run.stateVersion, { version, position, state });
    } finally {
      await store.close();
    }
    const told = `${await everyText(server.pool)}${JSON.stringify(await rows(`agent/runs/${runId}/events`))}`;
    for (const word of ['argument', 'result', 'error-one', 'error-two', 'parked', 'edited', 'approved', 'staged', 'end']) expect([word, told.includes(`zebra-${word}`)]).toEqual([word, true]);
    const before = await stored([`run-${runId}`, `approval-${approvalId}`, `staging-${stagingId}`]);

    const answer = await forget(runId);
    expect([answer.status, answer.body.data]).toMatchObject([200, { subject: runId, alsoIn: { goals: 1, approvals: 2, changes: 1 } }]);
    expect((await forget(`run:${failing.runId}`)).body.data.alsoIn).toEqual({ goals: 1, approvals: 0, changes: 0 });
    expect((await server.pool.query(`SELECT 1 FROM es_snapshot WHERE stream_id = $1`, [`run-${failing.runId}`])).rowCount).toBe(0);
    expect((await server.pool.query('SELECT 1 FROM vault_key WHERE subject = ANY ($1)', [[`run:${runId}`, `run:${failing.runId}`]])).rowCount).toBe(0);
    const shown = [
      await admin('GET', `agent/runs/${runId}`), await admin('GET', `agent/runs/${failing.runId}`), await admin('GET', `agent/goals/${goalId}`), await admin('GET', `agent/goals/${failing.goalId}`),
      await admin('GET', `agent/runs/${runId}/events?limit=200`), await admin('GET', `agent/approvals/${approvalId}`), await admin('GET', `agent/approvals/${approvalId}/at?time=2999-01-01T00:00:00Z`),
      await admin('GET', `agent/runs/${runId}/at?time=2999-01-01T00:00:00Z`), await admin('GET', `agent/replay/streams/run-${runId}?version=6`), await agent('POST', `agent/runs/${runId}/tool-calls`, { tool: 'shell', arguments: { command: 'zebra' } }, {}),
      await agent('POST', `agent/runs/${runId}/tool-calls`, { tool: 'shell', arguments: { command: 'zebra-argument' } }, once),
    ].map(({ text }) => text);
    const position = await server.head();
    for (const list of ['agent/runs', 'agent/goals', 'agent/approvals', 'agent/approvals?status=approved', 'agent/staged?status=vetoed', 'agent/activity', 'audit/events?limit=200']) {
      shown.push((await admin('GET', `${list}${list.includes('?') ? '&' : '?'}minPosition=${position}`)).text);
    }
    const stream = await fetch(`${server.url}/api/v1/agent/runs/${runId}/stream`, { headers: { authorization: `Bearer ${admin.key}` } });
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (let sent = ''; !sent.includes('RunForgotten'); ) {
      sent += (await reader.read()).value ?? 'RunForgotten';
      shown.push(sent);
    }
    await reader.cancel();
    for (const each of shown) expect(each).not.toMatch(/zebra-/);
    expect(shown[4]).toContain('"forgotten":true');
    expect(await everyText(server.pool)).not.toMatch(/zebra-/);
    const last = (await admin('GET', 'agent/runs')).headers.get('x-request-id')!;
    const lines = await eventually(() => Promise.resolve(printed.join('')), (now) => now.includes(last));
    expect(lines).toContain('/agent/runs/:runId/tool-calls');
    expect(lines).not.toMatch(/zebra-/);

    expect(await stored([`run-${runId}`, `approval-${approvalId}`, `staging-${stagingId}`])).toEqual(expect.arrayContaining(before));
    expect((await admin('GET', 'audit/verify')).text).toMatch(/"ok":true/);
    for (const { name } of projections) expect([name, (await admin('POST', `ops/projections/${name}/verify`)).body.data]).toMatchObject([name, { ok: true }]);
  });

  it('leaves what was not forgotten to be replayed, and says how much cannot be', async () => {
    const verdict = (await admin('GET', 'agent/replay/verify')).text.split('\n\n').findLast((sent) => sent.includes('event: verdict'))!;
    const { ok, decisions, forgotten } = JSON.parse(verdict.slice(verdict.indexOf('{'))) as Body;
    expect([ok, decisions > 0, forgotten]).toEqual([true, true, 8]);
    const tried = await admin('POST', 'agent/replay/backtest', { candidate: { policies: [] } });
    expect(tried.body.data).toMatchObject({ forgotten: 8 });
    expect(tried.body.data.examined).toBeGreaterThan(0);
  });

  it('refuses what is under way, what is not there and who may not, and says gone for what was forgotten', async () => {
    const { runId } = await open();
    const { callId } = await call(runId, 'shell', { command: 'still needed' });
    expect((await forget(runId)).status).toBe(409);
    expect((await forget(runId, agent)).status).toBe(403);
    const officer = await server.newKey({ kind: 'human', capabilities: ['privacy:forget'] });
    await report(runId, callId as string, { status: 'executed' });
    await agent('POST', `agent/runs/${runId}/cancel`, {});
    expect((await forget(runId, officer, { 'idempotency-key': 'forget-it' })).status).toBe(200);
    // Whoever follows the log destroys the traces once more, recorded answers among them.
    const behind = `SELECT 1 FROM es_consumer WHERE name = 'run-forgetting' AND position < (SELECT max(position) FROM es_event WHERE type = 'RunForgotten')`;
    await eventually(async () => (await server.pool.query(behind)).rowCount, (rows) => rows === 0);
    expect((await forget(runId, officer, { 'idempotency-key': 'forget-it' })).status).toBe(200);
    expect((await forget(runId, officer)).status).toBe(410);
    expect((await forget(`run_${'0'.repeat(32)}`, officer)).status).toBe(403);
    for (const subject of ['key_ada', 'run:', 'mem:run_1', `mem:${runId}`]) expect((await forget(subject, officer)).status).toBe(422);
    const memory = (await admin('POST', 'agent/memory', { content: 'Told in confidence' })).body.data as Body;
    expect((await forget(memory.id as string, officer)).status).toBe(200);
    expect((await forget(memory.id as string, officer)).status).toBe(410);
  });

  it('[PRIV-006] masks secrets by name and by form before anything is sealed and stored', async () => {
    const { runId } = await open();
    const { callId } = await call(runId, 'shell', { command: 'curl', password: 'open-sesame-please' });
    await report(runId, callId as string, { status: 'executed', result: { apiKey: 'whatever-it-was-1', text: 'Authorization: Bearer sk-proj-Zk3uQ8vB1xY7mN5pL2rT9wS4aD6fG0hJ' } });
    const sealer = new PayloadSealer({ payloads: sealedPayloads, subjects: new Vault(server.pool, MasterKey.of(MASTER)!).payloadsOn(server.pool) });
    const opened = await sealer.openData((await stored([`run-${runId}`])).map(({ type, data }) => ({ type: type as string, data: JSON.parse(data as string) as unknown })));
    expect(JSON.stringify(opened)).toContain('curl');
    expect(JSON.stringify(opened)).not.toMatch(/open-sesame|whatever-it-was|Zk3uQ8vB1x/);
  });

  // The last one: the server of this file knows the old master key only.
  it('[PRIV-007] changes nothing that can be read, and no link of the chain, when the master key is rotated', async () => {
    const { runId } = await talkative();
    const environment = { DATABASE_URL: server.databaseUrl, HARNESS_DATA_DIR: server.dataDir };
    const opened = async (keys: Record<string, string>) => {
      const { store, pool, close } = await openResources(readConfig({ ...environment, ...keys }));
      try {
        return { events: await eventsOf(store, `run-${runId}`), chain: await verifyChain(pool) };
      } finally {
        await close();
      }
    };
    const before = await opened({ HARNESS_MASTER_KEY: MASTER });
    const after = await opened({ HARNESS_MASTER_KEY: NEXT_MASTER, HARNESS_PREVIOUS_MASTER_KEY: MASTER });
    expect(JSON.stringify(before.events.map(({ data }) => data))).toContain('zebra-result');
    expect(after.events).toEqual(before.events);
    expect([before.chain, after.chain]).toEqual([expect.objectContaining({ ok: true }), before.chain]);
    await expect(opened({ HARNESS_MASTER_KEY: MASTER })).rejects.toThrow(/another master key/);
  });
});
