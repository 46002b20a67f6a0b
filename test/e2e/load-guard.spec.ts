import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateItem } from '@app/content/contract';
import { newId } from '@app/event-store';
import { skill } from '@app/skills';
import fc from 'fast-check';
import { z } from 'zod';
import { readConfig } from '../../apps/gateway/src/config';
import { startServer, type Server } from '../../apps/gateway/src/server';
import { eventually } from './eventually';
import { testServer, type Api, type Body, type TestServer } from './server';

const COLLECTIONS = ['books', 'films', 'songs'];
const ran: string[] = [];

/** Writes an item per name, then ends as it was told. */
const writeMany = skill('writeMany', {
  description: 'Writes items.', input: z.strictObject({ writes: z.array(z.string()), fails: z.boolean() }), capability: 'items:write', risk: 'write',
  run: async ({ writes, fails }, { context }, { send }) => {
    for (const [nr, collection] of writes.entries()) {
      const done = await send(new CreateItem({ collection, data: { title: `No ${nr}` } }, { ...context, commandId: `${context.commandId}:${nr}` }, newId('item')));
      if (!done.ok) throw new Error(done.rejection.detail);
    }
    if (fails) throw new Error('The ink ran out');
    return { ok: true as const, data: { written: writes.length }, position: 0n };
  },
});
const stamp = skill('stamp', {
  description: 'Stamps.', input: z.strictObject({ word: z.string() }), capability: 'items:write', risk: 'write',
  run: ({ word }) => {
    ran.push(word);
    return Promise.resolve({ ok: true as const, data: null, position: 0n });
  },
});

describe('The load guard', () => {
  let server: TestServer;
  let agent: Api;

  beforeAll(async () => {
    server = await testServer({}, [writeMany, stamp]);
    agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:update'] });
    for (const name of COLLECTIONS) await server.admin('POST', 'collections', { name, fields: [{ name: 'title', type: 'text' }] });
  });
  afterAll(() => server.close());

  const open = async (more: Record<string, unknown> = {}) => {
    const { runId } = (await agent('POST', 'agent/goals', { title: 'Write', agentName: 'robot', budget: { maxToolCalls: 10_000, timeoutMs: 600_000 }, ...more })).body.data as Body;
    const call = async (tool: string, args: unknown, callId?: string) =>
      (await agent('POST', `agent/runs/${runId as string}/tool-calls`, { tool, arguments: args, ...(callId !== undefined && { callId }) })).body.data as Body;
    return { runId: runId as string, call };
  };
  const stateOf = async (runId: string): Promise<Body> => (await agent('GET', `agent/runs/${runId}`, undefined, { 'x-min-position': String(await server.head()) })).body.data;
  const flushesOf = async (runId: string, callId: string) =>
    (await server.pool.query<Body>(`SELECT position, data::jsonb AS data FROM es_event WHERE stream_id = $1 AND type = 'WritesFlushed' AND data::jsonb ->> 'callId' = $2`, [`run-${runId}`, callId])).rows;

  it('[LOAD-001] [LOAD-002] [LOAD-003] O9: N writes cause exactly one flush per call and collection, at the call\'s boundary, whether the handler ends well or fails', async () => {
    const { runId, call } = await open();
    let nr = 0;
    const scenario = fc.record({ writes: fc.array(fc.constantFrom(...COLLECTIONS), { maxLength: 7 }), fails: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ writes, fails }) => {
        const callId = `call-${++nr}`;
        expect(await call('writeMany', { writes, fails }, callId)).toMatchObject({ status: fails ? 'failed' : 'executed' });
        const flushes = await flushesOf(runId, callId);
        const wanted = [...new Set(writes)].toSorted().map((collection) => ({ collection, writes: writes.filter((each) => each === collection).length }));
        expect(flushes.map(({ data }) => data as Body)).toEqual(wanted.length === 0 ? [] : [{ callId, collections: wanted }]);
        // At the boundary: behind the last write and in the same append as the outcome, which comes next.
        const { rows } = await server.pool.query<Body>(`SELECT position FROM es_event WHERE stream_id = $1 AND type IN ('ToolCallSucceeded', 'ToolCallFailed') AND data::jsonb ->> 'callId' = $2`, [`run-${runId}`, callId]);
        for (const { position } of flushes) expect(BigInt(position as string)).toBe(BigInt(rows[0].position as string) - 1n);
        // A repeat is answered from the record and tells nothing anew.
        await call('writeMany', { writes, fails }, callId);
        expect(await flushesOf(runId, callId)).toHaveLength(flushes.length);
      }),
      { numRuns: 100 },
    );
  });

  it('[LOAD-002] tells of the half that was written when a handler fails half-way', async () => {
    const { runId, call } = await open();
    expect(await call('writeMany', { writes: ['books', 'books', 'nowhere', 'songs'], fails: false }, 'half')).toMatchObject({ status: 'failed' });
    expect((await flushesOf(runId, 'half')).map(({ data }) => data as Body)).toEqual([{ callId: 'half', collections: [{ collection: 'books', writes: 2 }] }]);
  });

  it('[RUN-014] [TOOL-022] does not execute calls above a tool\'s rate limit, and says when to ask again', async () => {
    await server.admin('PUT', 'agent/tools/stamp', { rateLimit: { calls: 2, perMs: 1_500 } });
    const [one, other] = [await open(), await open()];
    expect([(await one.call('stamp', { word: 'a' })).status, (await other.call('stamp', { word: 'b' })).status]).toEqual(['executed', 'executed']);
    const refused = await one.call('stamp', { word: 'c' }, 'third');
    expect(refused).toMatchObject({ status: 'deferred', reason: 'rate_limited', rule: 'load_guard' });
    expect(refused.retryAfterMs).toBeGreaterThan(0);
    expect(refused.retryAfterMs).toBeLessThanOrEqual(1_500);
    expect(ran).toEqual(['a', 'b']);
    expect(await stateOf(one.runId)).toMatchObject({ status: 'running', stopReason: null });
    await new Promise((turn) => setTimeout(turn, refused.retryAfterMs as number));
    expect([await one.call('stamp', { word: 'c' }, 'third'), ran]).toMatchObject([{ status: 'executed' }, ['a', 'b', 'c']]);
    await server.admin('DELETE', 'agent/tools/stamp');
  });

  it('[RUN-014] [LOAD-004] [LOAD-005] defers writes above the budget of the intent, in all its runs together, and the runs go on', async () => {
    const intentId = `int_${randomUUID().replaceAll('-', '')}`;
    const budget = { maxWritesPerMinute: 3, maxToolCalls: 50 };
    const runs = [await open({ intentId, budget }), await open({ intentId, budget })];
    const answers = await Promise.all(Array.from({ length: 8 }, (_, nr) => runs[nr % 2]!.call('writeMany', { writes: ['books'], fails: false }, `w-${nr}`)));
    expect(answers.filter(({ status }) => status === 'executed')).toHaveLength(3);
    for (const answer of answers.filter(({ status }) => status !== 'executed')) {
      expect(answer).toMatchObject({ status: 'deferred', reason: 'write_budget_exceeded', rule: 'load_guard' });
      expect(answer.retryAfterMs).toBeGreaterThan(50_000);
      // Of calls that come together one may have begun before the one whose slot it waits for.
      expect(answer.retryAfterMs).toBeLessThan(65_000);
    }
    for (const { runId, call } of runs) {
      expect(await stateOf(runId)).toMatchObject({ status: 'running', stopReason: null });
      expect((await call('listItems', { collection: 'books' })).status).toBe('executed');
    }
    // Another intent, and a run without one, have windows of their own.
    for (const more of [{ intentId: `int_${randomUUID().replaceAll('-', '')}` }, {}]) {
      const { call } = await open({ ...more, budget: { maxWritesPerMinute: 1, maxToolCalls: 50 } });
      expect([(await call('writeMany', { writes: ['films'], fails: false })).status, (await call('writeMany', { writes: ['films'], fails: false })).status]).toEqual(['executed', 'deferred']);
    }
  });
});

const WATCHFUL = { HARNESS_LOAD_SAMPLE_MS: '100', HARNESS_BACKPRESSURE_HOLD_DOWN_MS: '700', HARNESS_BACKPRESSURE_EVENT_LOOP_MS: '60000', HARNESS_MASTER_KEY: 'ab'.repeat(32) };

describe('Backpressure in a whole server', () => {
  let calm: TestServer;
  let pressed: Server | undefined;
  beforeAll(async () => {
    calm = await testServer(WATCHFUL);
  });
  afterAll(async () => {
    await pressed?.stop();
    await calm.close();
  });

  it('[RUN-014] [LOAD-008] [LOAD-009] [LOAD-010] pauses the reconciler and nobody else while one process is pressed, and lets it go on after the calm', async () => {
    const { admin } = calm;
    const told = async (type: string) => (await calm.log()).filter((event: Body) => event.type === type) as Body[];
    await admin('PUT', 'settings', { contentOs: { reconciler: true } });
    const { data: intent } = (await admin('POST', 'agent/intents', { name: 'Descriptions', collection: 'products', rules: [{ type: 'required_fields', fields: ['description'] }] })).body;
    await admin('POST', 'items/products', { data: { sku: 'L-1', title: 'Bare' } });
    await admin('POST', `agent/intents/${intent.id as string}/scan`);
    const [goal] = (await eventually(async () => (await told('GoalCreated')).filter(({ data }) => data.origin === 'reconciler'), (goals) => goals.length > 0)) as [Body];
    const agent = await calm.newKey({ name: 'robot', capabilities: ['*'] });
    const born = (await agent('POST', `agent/goals/${goal.data.goalId as string}/start`, { agentName: 'robot' })).body.data;
    const own = (await agent('POST', 'agent/goals', { title: 'By hand', agentName: 'robot' })).body.data;
    const call = async ({ runId }: Body, callId: string) => (await agent('POST', `agent/runs/${runId as string}/tool-calls`, { tool: 'listItems', arguments: { collection: 'products' }, callId })).body.data as Body;
    expect(await call(born, 'before')).toMatchObject({ status: 'executed' });

    // Whatever the database takes is above nothing, so this process is pressed from its first look on.
    const dataDir = await mkdtemp(join(tmpdir(), 'harness-pressed-'));
    pressed = await startServer(readConfig({ DATABASE_URL: calm.databaseUrl, PORT: '0', HARNESS_DATA_DIR: dataDir, HARNESS_BACKPRESSURE_DATABASE_MS: '0', ...WATCHFUL }));
    const [activated] = (await eventually(() => told('BackpressureActivated'), (events) => events.length > 0)) as [Body];
    expect(activated).toMatchObject({ stream_id: 'load-site_demo', data: { activation: 1, signals: [{ signal: 'databaseLatencyMs', thresholdMs: 0 }] } });
    expect(await told('IncidentOpened')).toMatchObject([{ stream_id: `incident-${activated.data.incidentId as string}`, data: { source: 'load_guard' } }]);
    expect(await call(born, 'one')).toMatchObject({ status: 'deferred', reason: 'backpressure', rule: 'load_guard', retryAfterMs: expect.any(Number) });
    expect((await agent('GET', `agent/runs/${born.runId as string}`, undefined, { 'x-min-position': String(await calm.head()) })).body.data).toMatchObject({ status: 'running', stopReason: null });
    expect(await call(own, 'one')).toMatchObject({ status: 'executed' });
    expect(await told('BackpressureReleased')).toEqual([]);

    await pressed.stop();
    pressed = undefined;
    const [released] = (await eventually(() => told('BackpressureReleased'), (events) => events.length > 0)) as [Body];
    expect(Date.parse(released.data.at as string) - Date.parse(released.data.calmSince as string)).toBeGreaterThanOrEqual(700);
    expect(await call(born, 'one')).toMatchObject({ status: 'executed' });
    expect([(await told('BackpressureActivated')).length, (await told('IncidentOpened')).length]).toEqual([1, 1]);
    await rm(dataDir, { recursive: true, force: true });
  });
});
