import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '@app/event-store';
import { hold, untilHeld } from './held';
import { testServer, type Api, type Body, type TestServer } from './server';

describe('The kill switch', () => {
  let server: TestServer;
  let agent: Api & { readonly id: string };
  beforeAll(async () => {
    server = await testServer({}, [hold]);
    agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write', 'items:update', 'items:delete'] });
  });
  afterAll(() => server.close());

  const kill = (body: Body, by: Api = server.admin) => by('POST', 'agent/kill-switch', body);
  const lift = (body: Body, by: Api = server.admin) => by('POST', 'agent/kill-switch/lift', body);
  const list = async (by: Api = server.admin) => (await by('GET', 'agent/kill-switch')).body.data as Body;
  const goal = (more: Body = {}) => agent('POST', 'agent/goals', { title: 'Tidy up', agentName: 'robot', ...more });
  const open = async (agentRole?: string) => {
    const { runId, goalId } = (await goal({ ...(agentRole !== undefined && { agentRole }) })).body.data as { runId: string; goalId: string };
    const call = async (tool: string, args: Body) => (await agent('POST', `agent/runs/${runId}/tool-calls`, { tool, arguments: args })).body as Body;
    return { runId, goalId, call, read: () => call('getItem', { collection: 'products', id: 'none' }), run: async () => (await agent('GET', `agent/runs/${runId}`)).body.data as Body };
  };
  const newItem = async () => (await server.admin('POST', 'items/products', { data: { sku: 'K-1', title: 'A thing' } })).body.data.id as string;
  const isFrozen = { data: { status: 'denied', reason: 'frozen', rule: 'kill_switch' } };

  it('[KILL-001] takes the four scopes and no other', async () => {
    const { runId } = await open();
    const targets = { run: runId, intent: newId('int'), role: 'SEO', site: undefined };
    for (const [scope, targetId] of Object.entries(targets)) {
      const answer = await kill({ scope, ...(targetId !== undefined && { targetId }), reason: 'Drill' });
      expect([scope, answer.status, answer.body.data.effectiveAt]).toEqual([scope, 200, answer.body.position]);
      if (scope !== 'run') expect((await lift({ scope, ...(targetId !== undefined && { targetId }) })).status).toBe(200);
    }
    for (const wrong of [{ scope: 'world' }, {}, { scope: 'role' }, { scope: 'run' }, { scope: 'intent' }, { scope: 'intent', targetId: 'later' }, { scope: 'role', targetId: 'writer' }, { scope: 'site', because: 1 }]) {
      const before = await server.head();
      expect([(await kill(wrong)).status, await server.head()]).toEqual([422, before]);
    }
    expect((await kill({ scope: 'site', targetId: 'site_other' })).status).toBe(403);
  });

  it('[KILL-002] cancels a run at its next tool-call boundary', async () => {
    const { runId, call, run } = await open();
    const running = call('hold', { name: 'boundary' });
    const release = await untilHeld('boundary');
    const killed = (await kill({ scope: 'run', targetId: runId, reason: 'Enough' })).body.data;
    expect(killed).toMatchObject({ freezeId: null, scope: 'run', targetId: runId, inFlight: [{ runId, tool: 'hold' }] });
    expect((await run()).status).toBe('running');
    expect((await call('getItem', { collection: 'products', id: 'none' })).data).toMatchObject({ status: 'denied', reason: 'cancelled' });
    release();
    expect((await running).data).toMatchObject({ status: 'executed', result: { held: 'boundary' } });
    expect(await run()).toMatchObject({ status: 'cancelled', stopReason: 'cancelled_by_user' });
    expect((await lift({ scope: 'run', targetId: runId })).status).toBe(409);
    expect((await kill({ scope: 'run', targetId: newId('run') })).status).toBe(403);
  });

  it('[KILL-004] refuses every later call of exactly the frozen role', async () => {
    const [writers, others] = [[await open('Writer'), await open('Writer')], [await open('SEO'), await open()]];
    await kill({ scope: 'role', targetId: 'Writer' });
    for (const one of writers) {
      expect(await one.read()).toMatchObject(isFrozen);
      expect(await one.run()).toMatchObject({ status: 'cancelled', stopReason: 'frozen' });
      expect(await one.read()).toMatchObject({ status: 409, code: 'RUN_TERMINAL' });
    }
    for (const one of others) {
      expect((await one.read()).data.status).toBe('failed');
      expect((await one.run()).status).toBe('running');
    }
    await lift({ scope: 'role', targetId: 'Writer' });
  });

  it('[KILL-005] [KILL-009] [KILL-011] refuses every later call and goal of a frozen site, and goes on being read', async () => {
    const all = [await open('Writer'), await open('SEO'), await open()];
    const id = await newItem();
    const { freezeId } = (await kill({ scope: 'site', reason: 'Fire' })).body.data;
    for (const one of all) {
      expect(await one.read()).toMatchObject(isFrozen);
      expect(await one.run()).toMatchObject({ status: 'cancelled', stopReason: 'frozen' });
    }
    const before = await server.head();
    for (const more of [{}, { agentRole: 'Writer' }, { task: { skillName: 'listCollections', arguments: {} } }]) {
      const answer = await goal(more);
      expect([answer.status, answer.body]).toMatchObject([423, { code: 'FROZEN', facts: { freezeId, scope: 'site' } }]);
    }
    expect(await server.head()).toBe(before);
    const reads = ['agent/goals', 'agent/runs', `agent/runs/${all[0]!.runId}`, `agent/goals/${all[0]!.goalId}`, 'agent/approvals', 'agent/tools', 'agent/tools/getItem', 'agent/roles', 'agent/policies', 'agent/autonomy',
      'agent/autonomy/history', 'agent/kill-switch', 'settings', 'collections', 'items/products', `items/products/${id}`, 'audit/events', 'audit/checkpoints', 'api-keys'];
    for (const path of reads) expect([path, (await server.admin('GET', path)).status]).toEqual([path, 200]);
    await lift({ freezeId });
  });

  it('[KILL-006] is for holders of agents:freeze and for admins', async () => {
    const before = await server.head();
    const others = [agent, await server.newKey({ kind: 'human', capabilities: ['runs:cancel', 'intents:write', 'settings:write'], roles: ['veto'] })];
    for (const by of others) {
      for (const body of [{ scope: 'site' }, { scope: 'role', targetId: 'Writer' }]) expect([(await kill(body, by)).status, (await lift(body, by)).body.code]).toEqual([403, 'FORBIDDEN']);
    }
    expect((await server.log()).filter(({ position, stream_id: stream }: Body) => BigInt(position) > before && stream.startsWith('governance-'))).toEqual([]);
    const warden = await server.newKey({ kind: 'service', capabilities: ['agents:freeze'] });
    for (const by of [warden, server.admin]) {
      for (const body of [{ scope: 'site' }, { scope: 'role', targetId: 'Writer' }]) expect([(await kill(body, by)).status, (await lift(body, by)).status]).toEqual([200, 200]);
    }
  });

  it('[KILL-007] [KILL-012] lets a running handler end, names it, and cancels its run at the next call', async () => {
    const [one, other] = [await open('Translator'), await open('SEO')];
    const running = [one.call('hold', { name: 'flying' }), other.call('hold', { name: 'elsewhere' })];
    const [release, releaseOther] = [await untilHeld('flying'), await untilHeld('elsewhere')];
    const head = await server.head();
    const { freezeId, effectiveAt, inFlight, inFlightAsOf } = (await kill({ scope: 'role', targetId: 'Translator' })).body.data;
    expect(inFlight).toEqual([{ runId: one.runId, callId: expect.stringMatching(/^call_/), tool: 'hold', authorisedAt: expect.any(String) }]);
    expect([freezeId, BigInt(effectiveAt as string), BigInt(inFlightAsOf as string) >= BigInt(effectiveAt as string)]).toEqual([expect.any(String), head + 1n, true]);
    expect((await kill({ scope: 'site' })).body.data.inFlight.map(({ runId }: Body) => runId).toSorted()).toEqual([one.runId, other.runId].toSorted());
    await lift({ scope: 'site' });
    expect((await list()).active).toMatchObject([{ freezeId, inFlight: [{ runId: one.runId }] }]);

    release();
    expect((await running[0]!).data).toMatchObject({ status: 'executed', result: { held: 'flying' } });
    expect((await one.run()).status).toBe('running');
    expect(await one.read()).toMatchObject(isFrozen);
    expect(await one.run()).toMatchObject({ status: 'cancelled', stopReason: 'frozen' });
    releaseOther();
    await running[1];
    expect((await kill({ scope: 'role', targetId: 'Translator' })).body.data).toMatchObject({ freezeId, inFlight: [] });
    await lift({ freezeId });
  });

  it.each([['role', 'Librarian'], ['site', undefined]])('[KILL-008] executes no approved call under a freeze of its %s, and cancels the run', async (scope, targetId) => {
    await server.admin('POST', 'agent/roles', { name: 'Librarian', capabilities: [] });
    await server.admin('PUT', 'agent/roles/Librarian', { capabilities: ['items:delete', 'items:read'] });
    const { runId, call, run } = await open('Librarian');
    const [id, another] = [await newItem(), await newItem()];
    const asked = (await call('deleteItem', { collection: 'products', id })).data;
    const second = (await call('deleteItem', { collection: 'products', id: another })).data;
    const { freezeId } = (await kill({ scope, ...(targetId !== undefined && { targetId }) })).body.data;
    const decided = await server.admin('POST', `agent/approvals/${asked.approvalId as string}/decide`, { decision: 'approved' });
    expect(decided.body.data).toMatchObject({ status: 'approved', call: { status: 'denied', reason: 'frozen' } });
    expect(await run()).toMatchObject({ status: 'cancelled', stopReason: 'frozen' });
    for (const each of [id, another]) expect((await agent('GET', `items/products/${each}`)).status).toBe(200);
    expect((await server.admin('GET', `agent/approvals/${second.approvalId as string}`)).body.data.status).toBe('superseded');
    await lift({ freezeId });
    expect((await server.admin('POST', `agent/approvals/${second.approvalId as string}/decide`, { decision: 'approved' })).status).toBe(409);
    const ran = (await server.log()).filter(({ stream_id: stream, type }: Body) => stream === `run-${runId}` && type === 'ToolCallAuthorised');
    expect(ran).toEqual([]);
  });

  it('[KILL-014] lists active freezes and the history with actor, scope, reason and times', async () => {
    const warden = await server.newKey({ kind: 'human', capabilities: ['agents:freeze'] });
    const first = (await kill({ scope: 'role', targetId: 'Planner', reason: 'Odd plans' }, warden)).body.data;
    const second = (await kill({ scope: 'role', targetId: 'FactChecker' })).body.data;
    const lifted = await lift({ freezeId: second.freezeId });
    const { active, history } = await list(agent);
    const planner = {
      freezeId: first.freezeId, scope: 'role', targetId: 'Planner', reason: 'Odd plans', by: { kind: 'human', id: warden.id }, frozenAt: expect.stringMatching(/Z$/), effectiveAt: first.effectiveAt,
      liftedBy: null, liftedAt: null, endedAt: null,
    };
    expect(active).toEqual([{ ...planner, inFlight: [] }]);
    expect(history.slice(0, 2)).toEqual([
      { ...planner, freezeId: second.freezeId, targetId: 'FactChecker', reason: null, by: { kind: 'human', id: expect.any(String) }, effectiveAt: second.effectiveAt,
        liftedBy: { kind: 'human', id: expect.any(String) }, liftedAt: expect.stringMatching(/Z$/), endedAt: lifted.body.position },
      planner,
    ]);
    expect(history.length).toBeGreaterThan(5);
    expect((await kill({ scope: 'role', targetId: 'Planner' })).body.data.freezeId).toBe(first.freezeId);
    await lift({ freezeId: first.freezeId });
    expect((await list()).active).toEqual([]);
  });

  it('[KILL-015] is lifted by id or by what is frozen, which is recorded and lets work go on', async () => {
    for (const by of ['id', 'scope'] as const) {
      for (const scope of [{ scope: 'site' }, { scope: 'role', targetId: 'Writer' }]) {
        const { freezeId } = (await kill(scope)).body.data;
        expect((await goal({ agentRole: 'Writer' })).status).toBe(423);
        const answer = await lift(by === 'id' ? { freezeId } : scope);
        expect([answer.status, answer.body.data]).toEqual([200, { freezeId, lifted: true, effectiveAt: answer.body.position }]);
        expect((await server.log()).find(({ position }: Body) => position === answer.body.position)).toMatchObject({ type: 'FreezeLifted', data: { freezeId } });
        expect((await (await open('Writer')).read()).data.status).toBe('failed');
        expect((await lift({ freezeId })).status).toBe(409);
      }
    }
  });

  it('[KILL-016] [RISK-007] is asked before a goal and its run come into being, for a frozen role too', async () => {
    const cleaner = await server.newKey({ name: 'bound', capabilities: ['items:read'], agentRole: 'Writer' });
    const { freezeId } = (await kill({ scope: 'role', targetId: 'Writer' })).body.data;
    const before = await server.head();
    const body = { title: 'Tidy up', agentName: 'robot' };
    for (const answer of [await goal({ agentRole: 'Writer' }), await cleaner('POST', 'agent/goals', body), await goal({ agentRole: 'Writer', task: { skillName: 'listCollections', arguments: {} } })]) {
      expect([answer.status, answer.body]).toMatchObject([423, { code: 'FROZEN', facts: { freezeId, scope: 'role' } }]);
    }
    expect(await server.head()).toBe(before);
    expect((await goal({ agentRole: 'SEO' })).status).toBe(201);
    await lift({ freezeId });
    expect((await cleaner('POST', 'agent/goals', body)).status).toBe(201);
  });

  it('refuses new goals of a frozen intent, and only of that one', async () => {
    const [intentId, other] = [newId('int'), newId('int')];
    const keeper = await server.newKey({ kind: 'human', capabilities: ['intents:write'] });
    expect((await kill({ scope: 'intent', targetId: intentId }, agent)).status).toBe(403);
    await kill({ scope: 'intent', targetId: intentId }, keeper);
    expect([(await goal({ intentId })).status, (await goal({ intentId: other })).status, (await goal()).status]).toEqual([423, 201, 201]);
    await lift({ scope: 'intent', targetId: intentId }, keeper);
    expect((await goal({ intentId })).status).toBe(201);
  });

  it('answers a repeated order under its idempotency key with the freeze it made', async () => {
    const header = { 'idempotency-key': 'freeze once' };
    const first = await server.admin('POST', 'agent/kill-switch', { scope: 'site' }, header);
    await lift({ scope: 'site' });
    const again = await server.admin('POST', 'agent/kill-switch', { scope: 'site' }, header);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect((await list()).active).toEqual([]);
  });
});
