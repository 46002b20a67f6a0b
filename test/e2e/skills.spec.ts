import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkArguments } from '@app/json-schema';
import { coreSkills } from '@app/skills';
import { badArguments, KINDS, notRefused, sampleOf, spread } from './bad-arguments';
import { testServer, type Answer, type Api, type Body, type TestServer } from './server';
import { tablesHolding } from './tables';

const ACCESS = { listRoles: 'access:read', createRole: 'access:create', updateRole: 'access:create', deleteRole: 'access:delete', listPolicies: 'access:read', createPolicy: 'access:create', deletePolicy: 'access:delete' };
const PEOPLE = { listUsers: 'users:read', inviteUser: 'users:write', updateUser: 'users:write', removeUser: 'users:delete', listApiKeys: 'api-keys:read', createApiKey: 'api-keys:create', rotateApiKey: 'api-keys:write', revokeApiKey: 'api-keys:delete' };
const WORK = {
  listIntents: 'intents:read', createIntent: 'intents:write', updateIntent: 'intents:write', deleteIntent: 'intents:write', listFlows: 'flows:read', createFlow: 'flows:write', updateFlow: 'flows:write',
  deleteFlow: 'flows:write', runFlow: 'flows:run',
};
const ALL = { ...ACCESS, ...PEOPLE, ...WORK };
const CAPABILITIES = [...new Set([...Object.values(ALL), 'items:read', 'items:update', 'autonomy:write'])];
const ASKED = { asked: true };
/** A busy machine is no part of what is shown here, and writes nothing into the log. */
const UNHURRIED = { HARNESS_BACKPRESSURE_EVENT_LOOP_MS: '600000', HARNESS_BACKPRESSURE_PROJECTION_LAG_MS: '600000', HARNESS_BACKPRESSURE_DATABASE_MS: '600000' };

describe('Skills for access, intents and flows', () => {
  let server: TestServer;
  let agent: Api & { readonly id: string };
  let runId: string;
  let tools: Readonly<Record<string, Body>>;

  const open = async (by: Api = agent, more: Body = {}): Promise<string> =>
    (await by('POST', 'agent/goals', { title: 'Work', agentName: 'robot', budget: { maxToolCalls: 500 }, ...more })).body.data.runId as string;
  /** Calls a tool as the agent; a person says yes to whatever is asked. */
  const call = async (tool: string, args: Body = {}, run = runId, by: Api = agent): Promise<Body> => {
    const { data } = (await by('POST', `agent/runs/${run}/tool-calls`, { tool, arguments: args })).body;
    if (data.status !== 'pending_approval') return data;
    const decided = await server.admin('POST', `agent/approvals/${data.approvalId as string}/decide`, { decision: 'approved' });
    return { ...decided.body.data.call, ...ASKED };
  };
  const done = async (tool: string, args: Body = {}): Promise<Body> => {
    const answer = await call(tool, args);
    expect([tool, answer.status, answer.reason, answer.asked === true]).toEqual([tool, 'executed', undefined, tools[tool]!.risk !== 'read']);
    return answer.result;
  };
  const holds = (skills: Readonly<Record<string, string>>) =>
    expect(Object.fromEntries(Object.keys(skills).map((name) => [name, tools[name]?.requiredCapabilities]))).toEqual(Object.fromEntries(Object.entries(skills).map(([name, needed]) => [name, [needed]])));
  const codeOf = ({ status, body }: Answer) => [status, body.code];
  const get = async (path: string) => server.admin('GET', path);

  beforeAll(async () => {
    server = await testServer(UNHURRIED);
    agent = await server.newKey({ name: 'robot', capabilities: CAPABILITIES });
    runId = await open();
    tools = Object.fromEntries(((await get('agent/tools?limit=200')).body.data as Body[]).map((tool) => [tool.name as string, tool]));
  });
  afterAll(() => server.close());

  it('ask for a person whenever they change something', () => {
    for (const name of Object.keys(ALL)) expect([name, tools[name]?.isDangerous ?? tools[name]?.dangerous]).toEqual([name, !name.startsWith('list')]);
    expect(Object.keys(ALL).filter((name) => tools[name]!.irreversible === true).toSorted()).toEqual(['deletePolicy', 'deleteRole', 'removeUser', 'revokeApiKey']);
  });

  it('[SKILL-009] manage roles and policies', async () => {
    holds(ACCESS);
    const role = { name: 'Clerk', description: 'Files things', capabilities: ['items:read'] };
    expect(await done('createRole', role)).toEqual({ ...role, enabled: true });
    expect(await done('updateRole', { name: 'Clerk', capabilities: ['items:read', 'items:update'] })).toMatchObject({ description: 'Files things', capabilities: ['items:read', 'items:update'] });
    expect((await done('listRoles', { limit: 2 })).rows.map(({ name }: Body) => name)).toEqual(['Clerk', 'FactChecker']);
    expect(await done('deleteRole', { name: 'Clerk' })).toMatchObject({ enabled: false });
    expect((await get('agent/roles/Clerk')).body.data).toMatchObject({ enabled: false });

    const rule = { name: 'no names', when: { tool: 'updateItem', arguments: [{ path: '/data/title', matches: '^Mr' }] }, then: { do: 'deny' } };
    await done('createPolicy', { rule: { name: 'ask', when: { tool: 'updateItem' }, then: { do: 'ask' } } });
    await done('createPolicy', { rule, before: 'ask' });
    expect((await done('listPolicies')).rules.map(({ name }: Body) => name)).toEqual(['no names', 'ask']);
    expect(await call('updateItem', { collection: 'products', id: 'none', data: { title: 'Mr X' } })).toMatchObject({ status: 'denied', rule: 'no names' });
    // What the use case refuses of people it refuses of agents.
    expect(JSON.stringify(await call('createPolicy', { rule: { ...rule, name: 'again' }, before: 'ask' }))).toContain('VALIDATION_FAILED');
    expect(JSON.stringify(await call('deletePolicy', { name: 'nothing' }))).toContain('FORBIDDEN');
    await done('deletePolicy', { name: 'no names' });
    await done('deletePolicy', { name: 'ask' });
    expect((await get('agent/policies')).body.data.rules).toEqual([]);
  });

  it('[SKILL-010] manage people and keys', async () => {
    holds(PEOPLE);
    const { id } = await done('inviteUser', { email: 'Ada@example.com', name: 'Ada', capabilities: ['items:read'] });
    expect(await done('updateUser', { id, name: 'Ada L.', capabilities: ['items:read', 'items:update'] })).toMatchObject({ email: 'ada@example.com', name: 'Ada L.' });
    expect((await done('listUsers', { status: 'invited' })).rows).toMatchObject([{ id, capabilities: ['items:read', 'items:update'] }]);
    const key = await server.newKey({ name: 'hers', userId: id, capabilities: ['items:read'] });
    expect(await done('removeUser', { id })).toEqual({ id, removed: true });
    expect([codeOf(await key('GET', 'agent/goals')), codeOf(await get(`users/${id as string}`))]).toEqual([[401, 'UNAUTHENTICATED'], [410, 'GONE']]);

    const issued = await done('createApiKey', { name: 'helper', kind: 'agent', capabilities: ['items:read'] });
    expect(issued).toEqual({ id: expect.stringMatching(/^key_[0-9a-f]{32}$/), key: null, notice: expect.stringContaining(`${issued.id as string}/rotate`) });
    expect((await done('listApiKeys', { limit: 200 })).rows.find((row: Body) => row.id === issued.id)).toMatchObject({ name: 'helper', capabilities: ['items:read'], userId: agent.id, roles: [] });
    // A person fetches the secret, once; then an agent makes it worthless, and sees no other.
    const { key: secret } = (await server.admin('POST', `api-keys/${issued.id as string}/rotate`)).body.data;
    expect((await server.as(secret as string)('GET', 'agent/runs')).status).toBe(200);
    expect(await done('rotateApiKey', { id: issued.id })).toMatchObject({ id: issued.id, key: null });
    expect(codeOf(await server.as(secret as string)('GET', 'agent/runs'))).toEqual([401, 'UNAUTHENTICATED']);
    expect(await done('revokeApiKey', { id: issued.id })).toEqual({ id: issued.id, revoked: true });
    expect(codeOf(await server.admin('POST', `api-keys/${issued.id as string}/rotate`))).toEqual([410, 'GONE']);
    expect(await tablesHolding(server.pool, secret as string)).toEqual([]);
    expect((await server.pool.query(`SELECT 1 FROM es_event WHERE data::text ~ 'hk_[A-Za-z0-9]{8}'`)).rowCount).toBe(0);
  });

  it('[SKILL-019] issue no key that exceeds its maker: not the key, nor the role, nor the run, nor its time', async () => {
    const made = (capabilities: string[], more: Body = {}) => ({ name: 'more', kind: 'agent', capabilities, ...more });
    const refused = async (args: Body, run?: string, by?: Api) => {
      const before = (await server.pool.query(`SELECT count(*)::int AS keys FROM es_event WHERE type = 'PrincipalCreated'`)).rows[0];
      const answer = await call('createApiKey', args, run, by);
      expect((await server.pool.query(`SELECT count(*)::int AS keys FROM es_event WHERE type = 'PrincipalCreated'`)).rows[0]).toEqual(before);
      return [answer.status, /FORBIDDEN/.test(JSON.stringify(answer))];
    };
    // An approved call that failed waits again; what matters is that nothing was made.
    const REFUSED = [expect.stringMatching(/^(failed|pending_approval)$/), true];
    for (const args of [made(['schema:create']), made(['*']), made([], { roles: ['admin'] }), made([], { roles: ['veto'] }), made([], { userId: 'somebody-else' }), made(['items:read', 'items:delete'])]) expect(await refused(args)).toEqual(REFUSED);

    // The role narrows the key: what the key holds beside it is not the run's to hand on.
    await server.admin('POST', 'agent/roles', { name: 'Porter', capabilities: ['api-keys:create', 'items:read'] });
    const asPorter = await open(agent, { agentRole: 'Porter' });
    expect(await refused(made(['items:update']), asPorter)).toEqual(REFUSED);
    expect(await refused(made(['items:read'], { agentRole: 'Writer' }), asPorter)).toEqual(REFUSED);
    const porters = await call('createApiKey', made(['items:read']), asPorter);
    const keys = async () => (await get(`api-keys?limit=200&minPosition=${await server.head()}`)).body.data as Body[];
    expect((await keys()).find(({ id }) => id === porters.result.id)).toMatchObject({ agentRole: 'Porter', capabilities: ['items:read'] });

    // The run of an admin's key is no admin.
    const boss = await server.newKey({ name: 'boss', kind: 'human', capabilities: ['*'], roles: ['admin', 'veto'] });
    const ofBoss = await open(boss);
    for (const args of [made(['*']), made([], { roles: ['admin'] }), made([], { userId: 'somebody-else' })]) expect(await refused(args, ofBoss, boss)).toEqual(REFUSED);

    // What was taken from the key since the run was opened is not handed on, even when a person says yes.
    const robot = await server.newKey({ name: 'shrinking', capabilities: ['api-keys:create', 'items:read', 'items:update'] });
    const shrinking = await open(robot);
    await server.admin('PUT', `api-keys/${robot.id}`, { capabilities: ['api-keys:create', 'items:read'] });
    expect(await refused(made(['items:update']), shrinking, robot)).toEqual(REFUSED);

    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const brief = await server.newKey({ name: 'brief', capabilities: ['api-keys:create', 'items:read'], expiresAt: soon });
    const briefRun = await open(brief);
    expect(await refused(made(['items:read']), briefRun, brief)).toEqual(REFUSED);
    expect(await call('createApiKey', made(['items:read'], { expiresAt: soon }), briefRun, brief)).toMatchObject({ status: 'executed' });
  });

  it('[SKILL-011] manage intents and flows, and run a flow', async () => {
    holds(WORK);
    const intent = await done('createIntent', { name: 'Fresh', collection: 'products', rules: [{ type: 'freshness', maxAgeDays: 30 }], schedule: '0 3 1 1 *' });
    expect(await done('updateIntent', { id: intent.id, budget: { maxGoalsPerCycle: 1 } })).toMatchObject({ id: intent.id, name: 'Fresh', budget: { maxGoalsPerCycle: 1 } });
    expect((await done('listIntents', { collection: 'products' })).rows.map(({ id }: Body) => id)).toContain(intent.id);
    expect(await done('deleteIntent', { id: intent.id })).toMatchObject({ id: intent.id });
    expect((await get(`agent/intents/${intent.id as string}`)).status).toBe(410);

    const flow = { name: 'Upkeep', trigger: { on: 'cron', expression: '0 3 1 1 *', tz: 'UTC' }, operations: [{ do: 'trust-promote-check' }], capabilities: ['autonomy:write'] };
    const { id } = await done('createFlow', flow);
    expect(await done('updateFlow', { id, name: 'Yearly' })).toMatchObject({ id, name: 'Yearly', operations: flow.operations });
    expect((await done('listFlows')).rows.map((row: Body) => row.id)).toContain(id);
    expect(JSON.stringify(await call('createFlow', { ...flow, capabilities: ['schema:create'] }))).toContain('FORBIDDEN');
    const started = await done('runFlow', { id });
    expect(started).toMatchObject({ flowId: id, runId: expect.stringMatching(/^run_/), cause: 'manual' });
    const ended = async () => (await get(`agent/flows/${id as string}`)).body.data.lastRun as Body;
    while (!(await ended())) await get(`agent/runs/${started.runId as string}/events`);
    expect(await ended()).toMatchObject({ runId: started.runId, status: 'succeeded' });
    await done('deleteFlow', { id });
    expect((await get(`agent/flows/${id as string}`)).status).toBe(410);
  });

  it('start no flow from a flow', async () => {
    const flow = (name: string, operation: Body, capabilities: string[]) =>
      server.admin('POST', 'agent/flows', { name, trigger: { on: 'cron', expression: '0 3 1 1 *', tz: 'UTC' }, operations: [operation], capabilities });
    const target = (await flow('Target', { do: 'trust-promote-check' }, ['autonomy:write'])).body.data.id as string;
    await server.admin('PUT', 'agent/tools/runFlow', { dangerous: false });
    const caller = (await flow('Caller', { do: 'run-skill', tool: 'runFlow', arguments: { id: target } }, ['flows:run'])).body.data.id as string;
    const { runId: of } = (await server.admin('POST', `agent/flows/${caller}/run`)).body.data;
    const ended = async () => (await get(`agent/flows/${caller}`)).body.data.lastRun as Body;
    while (!(await ended())) await get(`agent/runs/${of as string}/events`);
    expect((await ended()).status).toBe('failed');
    expect((await get(`agent/runs/${of as string}/events`)).text).toContain('A flow starts no flow');
    expect((await get(`agent/flows/${target}`)).body.data.lastRun).toBeNull();
    await server.admin('DELETE', 'agent/tools/runFlow');
  });

  describe('given what nobody should send', () => {
    let mighty: Api;
    let runs: readonly string[];
    beforeAll(async () => {
      mighty = await server.newKey({ name: 'mighty', capabilities: ['*'] });
      runs = await Promise.all(Array.from({ length: 6 }, () => open(mighty)));
    });

    const bad = coreSkills.map(({ definition: { name, inputSchema } }) => ({ name, schema: inputSchema, all: badArguments(inputSchema) }));

    it('is made of the schema of each, and breaks it in one place', () => {
      for (const { name, schema, all } of bad) {
        expect([name, checkArguments(schema, sampleOf(schema) as Body).problems]).toEqual([name, []]);
        const texts = JSON.stringify(schema).includes('"type":"string"');
        const lacking = KINDS.filter((kind) => kind !== 'missing' && !(kind === 'too long' && !texts) && !all.some((one) => one.kind === kind));
        expect([name, lacking]).toEqual([name, []]);
      }
    });

    it('[SKILL-020] refuse it with a stable code, every skill and every kind of it, relations in a circle as well, and write nothing but that', async () => {
      const sent = bad.flatMap(({ name, all }) => spread(all, 2).map((one) => ({ name, ...one })));
      expect(sent.length).toBeGreaterThan(coreSkills.length * 6);
      const before = await server.head();
      expect(await notRefused(mighty, runs, sent)).toEqual([]);
      const written = (await server.log()).filter((event: Body) => BigInt(event.position as string) > before);
      expect(written.filter(({ type, data, stream_id }: Body) => type !== 'ToolCallDenied' || data.reason !== 'invalid_arguments' || !runs.includes((stream_id as string).slice('run-'.length)))).toEqual([]);
      expect(({} as { polluted?: unknown }).polluted).toBeUndefined();

      // What no schema can tell is refused where it is decided, even when a person says yes.
      for (const name of ['rings', 'links', 'chains']) await server.admin('POST', 'collections', { name, fields: [{ name: 'next', type: 'text' }, { name: 'other', type: 'text' }] });
      for (const [from, to] of [['rings', 'links'], ['links', 'chains']] as const) await server.admin('POST', `collections/${from}/relations`, { name: 'to', field: 'next', to });
      const between = await server.head();
      const refused: readonly (readonly [string, Body, string])[] = [
        ['createRelation', { collection: 'chains', name: 'back', field: 'next', to: 'rings' }, 'CONFLICT'],
        ['createRelation', { collection: 'rings', name: 'self', field: 'other', to: 'rings' }, 'CONFLICT'],
        ['createCollection', { name: 'lumibase_users', fields: [] }, 'RESERVED_NAME'], ['createField', { collection: 'rings', field: { name: 'lumibase_id', type: 'text' } }, 'RESERVED_NAME'],
        ['createRelation', { collection: 'chains', name: 'lumibase_of', field: 'other', to: 'products' }, 'RESERVED_NAME'],
      ];
      for (const [tool, args, code] of refused) {
        const answer = await call(tool, args, runs[0]!, mighty);
        expect([tool, args, JSON.stringify(answer).includes(code), answer.status === 'executed']).toEqual([tool, args, true, false]);
      }
      const changed = (await server.log()).filter((event: Body) => BigInt(event.position as string) > between);
      expect(changed.filter(({ stream_id }: Body) => !/^(run|goal|approval)-/.test(stream_id as string))).toEqual([]);
    });
  });

  it('are decided the same when the log is read again', async () => {
    const verdict = (await server.admin('GET', 'agent/replay/verify')).text.split('\n\n').findLast((sent) => sent.includes('event: verdict'));
    expect(verdict).toContain('"ok":true');
  });
});
