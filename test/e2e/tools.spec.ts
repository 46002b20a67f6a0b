import { describe, expect, it } from '@jest/globals';
import { ToolDefinition, ToolGovernance } from '@app/governance/contract';
import { coreSkills } from '@app/skills';
import { jobs } from './jobs';
import type { Api, Body } from './server';

describe('The tools of a site', () => {
  const { server, agent, open, newItem, eventsOf } = jobs();
  const admin = (...call: Parameters<Api>) => server().admin(...call);
  const get = async (name = 'note') => (await admin('GET', `agent/tools/${name}`)).body.data as Body;
  const put = (change: Body, name = 'note') => admin('PUT', `agent/tools/${name}`, change);
  const remove = (name = 'note', by: Api = server().admin) => by('DELETE', `agent/tools/${name}`);
  const note = async (more: Body = {}) => (await (await open(more)).call('note', { word: 'x' })).data as Body;

  it('[TOOL-016] are shown one by one, with what the site overrode', async () => {
    const plain = await get();
    expect(plain).toMatchObject({ name: 'note', risk: 'write', dangerous: false, enabled: true, override: {}, default: { name: 'note', risk: 'write', timeoutMs: 30_000 } });
    await put({ risk: 'read', dangerous: true, timeoutMs: 500 });
    expect(await get()).toEqual({ ...plain, risk: 'read', dangerous: true, timeoutMs: 500, override: { risk: 'read', dangerous: true, timeoutMs: 500 } });
    expect((await agent()('GET', 'agent/tools/note')).body.data).toEqual(await get());
    for (const name of ['nothing', 'constructor']) expect((await admin('GET', `agent/tools/${name}`)).status).toBe(403);
    await remove();
  });

  it('[TOOL-018] take any subset of the governance keys as an override, and no other key', async () => {
    const whole: Body = {
      inputSchema: { type: 'object', properties: { word: { type: 'string', maxLength: 3 } } }, outputSchema: { type: 'object' }, requiredCapabilities: ['items:read'], risk: 'create', dangerous: true,
      idempotent: true, stageable: true, timeoutMs: 1_234, rateLimit: { calls: 5, perMs: 1_000 }, costUsd: 0.5, artifact: true, owner: 'ops', description: 'Another',
    };
    expect(Object.keys(whole).toSorted()).toEqual(Object.keys(ToolGovernance.shape).toSorted());
    for (const key of Object.keys(whole)) {
      expect((await put({ [key]: whole[key] })).status).toBe(200);
      expect((await get()).override).toEqual({ [key]: whole[key] });
      await remove();
    }
    expect((await put({ ...whole, enabled: false })).status).toBe(200);
    expect(await get()).toMatchObject({ enabled: false, override: whole });
    const before = await server().head();
    for (const wrong of [{ irreversible: false }, { name: 'other' }, { kind: 'http' }]) expect((await put(wrong)).status).toBe(422);
    expect(await server().head()).toBe(before);
    await remove();
  });

  it('[TOOL-012] follow the site in enablement, risk, capabilities and schema at the very next call', async () => {
    const { call } = await open({ approvalPolicy: 'before_execute', budget: { maxToolCalls: 50 } });
    const status = async (word = 'word') => (await call('note', { word })).data as Body;
    expect(await status()).toMatchObject({ status: 'pending_approval' });
    await put({ risk: 'read' });
    expect(await status('read')).toMatchObject({ status: 'executed' });
    await put({ requiredCapabilities: ['users:delete'] });
    expect(await status()).toMatchObject({ status: 'denied', reason: 'capability_missing', facts: { missing: ['users:delete'] } });
    await put({ requiredCapabilities: ['items:update'], inputSchema: { type: 'object', properties: { word: { type: 'string', maxLength: 2 } }, required: ['word'], additionalProperties: false } });
    expect(await status('long')).toMatchObject({ status: 'denied', reason: 'invalid_arguments' });
    expect(await status('ok')).toMatchObject({ status: 'executed' });
    await put({ enabled: false });
    expect(await status('ok2')).toMatchObject({ status: 'denied', reason: 'tool_disabled' });
    await remove();
  });

  it('fall back to their default when the override is taken away, once', async () => {
    const plain = await get();
    await put({ dangerous: true, enabled: false });
    const answer = await remove();
    expect([answer.status, answer.body.data]).toMatchObject([200, { dangerous: false, enabled: true }]);
    expect(await get()).toEqual(plain);
    expect(await note()).toMatchObject({ status: 'executed' });
    expect((await server().log()).at(-1)).not.toMatchObject({ type: 'ToolOverrideRemoved' });
    const before = await server().head();
    expect([(await remove()).status, await server().head()]).toEqual([200, before]);
    expect([(await remove('nothing')).status, (await remove('note', agent())).status]).toEqual([403, 403]);
  });

  it('[TOOL-020] tell what the door would decide, and record neither call nor approval', async () => {
    const { call, runId } = await open({ agentRole: 'Writer' });
    const id = (await newItem(call)) as string;
    await admin('PUT', 'agent/roles/Writer', { capabilities: ['items:read', 'items:write', 'items:update', 'items:delete'] });
    const dry = async (name: string, body: Body, by: Api = agent()) => (await by('POST', `agent/tools/${name}/dry-run`, body)).body as Body;
    const item = { collection: 'products', id };
    const asked = [['getItem', item], ['deleteItem', item], ['createCollection', { name: 'shelf', fields: [] }], ['getItem', { id: 3 }], ['nothing', {}], ['note', { word: 'dry' }]] as const;
    const before = await server().head();
    const told = await Promise.all(asked.map(([name, args]) => dry(name, { runId, arguments: args })));
    expect(told.map(({ data }) => [data.decision, data.reason ?? data.rule])).toEqual([
      ['execute', null], ['ask', 'dangerous_tool'], ['deny', 'capability_missing'], ['deny', 'invalid_arguments'], ['deny', 'tool_not_registered'], ['execute', null],
    ]);
    expect((await dry('deleteItem', { role: 'Writer', arguments: item })).data).toMatchObject({ decision: 'ask', autonomy: 1, capability: 'items:delete', domain: 'items', quorum: 1, humanOnly: false });
    expect((await dry('getItem', { role: 'Nobody', arguments: item })).data).toMatchObject({ decision: 'deny', reason: 'capability_missing', facts: { missing: ['items:read'] } });
    expect((await dry('listItems', { arguments: { collection: 'products' } })).data.decision).toBe('execute');
    expect(await server().head()).toBe(before);
    expect((await agent()('GET', `agent/runs/${runId}`)).body.data).toMatchObject({ budgetUsed: { toolCalls: 1 }, approvals: [] });

    const real = [];
    for (const [name, args] of asked) real.push((await call(name, args)).data as Body);
    const statuses: Record<string, string> = { execute: 'executed', ask: 'pending_approval', deny: 'denied' };
    expect(real.map(({ status, reason, governanceVersion }) => [status, reason, governanceVersion])).toEqual(told.map(({ data }) => [statuses[data.decision as string], data.reason ?? undefined, data.governanceVersion]));
    expect((await eventsOf(runId)).filter(({ type }) => type === 'ToolCallDenied')).toHaveLength(3);

    const { freezeId } = (await admin('POST', 'agent/kill-switch', { scope: 'role', targetId: 'Writer' })).body.data;
    expect((await dry('note', { runId, arguments: { word: 'x' } })).data).toMatchObject({ decision: 'deny', reason: 'frozen', endsRun: 'frozen' });
    expect((await agent()('GET', `agent/runs/${runId}`)).body.data.status).toBe('awaiting_approval');
    await admin('POST', 'agent/kill-switch/lift', { freezeId });

    const stranger = await server().newKey({ name: 'stranger', capabilities: ['items:read'] });
    expect([(await dry('getItem', { runId }, stranger)).status, (await dry('getItem', { runId, role: 'Writer' })).status, (await dry('getItem', { runId, arguments: item }, server().admin)).data.decision]).toEqual([403, 422, 'execute']);
    await agent()('POST', `agent/runs/${runId}/cancel`, {});
    expect(await dry('getItem', { runId, arguments: item })).toMatchObject({ status: 409, code: 'RUN_TERMINAL' });
  });

  it('[TOOL-009] are not run without metadata: no registration is taken without a risk and a capability, and what is not registered is denied', async () => {
    const [{ definition }] = coreSkills as [(typeof coreSkills)[number]];
    for (const key of ['risk', 'requiredCapabilities', 'inputSchema'] as const) expect(ToolDefinition.safeParse({ ...definition, [key]: undefined }).success).toBe(false);
    expect(ToolDefinition.safeParse({ ...definition, requiredCapabilities: [] }).success).toBe(false);
    expect((await (await open()).call('unheardOf', {})).data).toMatchObject({ status: 'denied', reason: 'tool_not_registered' });
  });
});
