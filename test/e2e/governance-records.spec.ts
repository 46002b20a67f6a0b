import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { canonicalJson } from '@app/event-store';
import { eventually } from './eventually';
import { jobs } from './jobs';
import { type Api, type Body } from './server';

describe('What is on record about the rules of a run', () => {
  const { ran, server, agent, reviewer, open, newItem, eventsOf } = jobs();
  const admin = (...call: Parameters<Api>) => server().admin(...call);
  const envelopeOf = async (runId: string) => (await agent()('GET', `agent/runs/${runId}`)).body.data.envelope as Body;
  const grant = (agentRole: string, capability: string, level: number) => admin('PUT', 'agent/autonomy/grants', { agentRole, capability, level });

  it('[RUN-005] is the hash of the rules it started under, and the rules can be looked up from it', async () => {
    const snapshot = async (hash: string, by: Api = server().admin) => by('GET', `agent/governance/snapshots/${hash}`);
    const before = (await envelopeOf((await open()).runId)).context.policySnapshotHash as string;
    await admin('PUT', 'agent/policies', { rules: [{ name: 'later', when: { tool: 'note' }, then: { do: 'ask' } }] });
    const after = (await envelopeOf((await open()).runId)).context.policySnapshotHash as string;
    expect([before, after]).toEqual([expect.stringMatching(/^sha256:[0-9a-f]{64}$/), expect.stringMatching(/^sha256:[0-9a-f]{64}$/)]);
    for (const [hash, policies] of [[before, []], [after, [expect.objectContaining({ name: 'later' })]]] as const) {
      const { data } = (await snapshot(hash)).body;
      expect(data).toMatchObject({ hash, reproduced: true, state: { siteId: 'site_demo', policies }, asOf: { version: expect.any(Number) } });
      expect(`sha256:${createHash('sha256').update(canonicalJson(data.state)).digest('hex')}`).toBe(hash);
      const past = (await admin('GET', `agent/replay/governance?version=${data.asOf.version}`)).body.data;
      expect(past.policies).toEqual(data.state.policies);
    }
    await admin('PUT', 'agent/policies', { rules: [] });
    for (const unknown of [`sha256:${'0'.repeat(64)}`, 'sha256:nothing']) expect((await snapshot(unknown)).body.code).toBe('FORBIDDEN');
    const elsewhere = server().as((await admin('POST', 'sites', { name: 'Elsewhere' })).body.data.adminKey as string);
    expect((await snapshot(before, elsewhere)).status).toBe(403);
    expect((await snapshot(before, agent())).status).toBe(403);
  });

  it('[RUN-006] names model, provider and constitution, and the run that it is a part or a retry of', async () => {
    const constitution = (await admin('POST', 'agent/constitution', { evaluators: [{ id: 'title', type: 'rule', rule: 'required', field: 'title', severity: 'warning' }] })).body.data;
    const bare = await envelopeOf((await open()).runId);
    for (const field of ['model', 'provider', 'constitutionHash', 'parentRunId', 'retryOf']) expect(bare).not.toHaveProperty(field);
    await admin('POST', `agent/constitution/${constitution.id}/activate`);
    const planner = await server().newKey({ name: 'planner', agentRole: 'Planner', capabilities: ['items:read', 'items:update'] });
    const { goalId, runId } = (await planner('POST', 'agent/goals', { title: 'All', agentName: 'planner', model: 'gpt-4o-mini', provider: 'openai' })).body.data;
    expect(await envelopeOf(runId)).toMatchObject({ model: 'gpt-4o-mini', provider: 'openai', constitutionHash: constitution.hash });
    const [part] = (await planner('POST', `agent/goals/${goalId}/decompose`, { goals: [{ title: 'Write', agentRole: 'Writer' }] })).body.data.goals as Body[];
    const taken = (await agent()('POST', `agent/goals/${part.goalId}/start`, { agentName: 'robot', model: 'm-1', provider: 'p-1' })).body.data;
    const ofPart = await envelopeOf(taken.runId);
    expect(ofPart).toMatchObject({ model: 'm-1', provider: 'p-1', constitutionHash: constitution.hash, parentRunId: runId });
    expect(ofPart).not.toHaveProperty('retryOf');
    const failed = (await agent()('POST', 'agent/goals', { title: 'Again', agentName: 'robot', model: 'm-2', provider: 'p-2', task: { skillName: 'breakThings', arguments: {} } })).body.data;
    const again = (await agent()('POST', `agent/runs/${failed.runId}/retry`)).body.data;
    expect(await envelopeOf(again.runId)).toMatchObject({ model: 'm-2', provider: 'p-2', constitutionHash: constitution.hash, retryOf: failed.runId });
    expect((await eventsOf(again.runId)).find(({ type }) => type === 'EnvelopeSealed')!.data.envelope).toEqual(await envelopeOf(again.runId));
  });

  it('[DOOR-027] keeps an event with the rule for every call that was asked, denied or expired, beside those that ran', async () => {
    await admin('PUT', 'settings', { approvalExpiryMsByKind: { tool_call: 1_000 } });
    await admin('PUT', 'agent/policies', { rules: [
      { name: 'look twice', when: { tool: 'note', arguments: [{ path: '/word', eq: 'asked' }] }, then: { do: 'ask' } },
      { name: 'never that', when: { tool: 'note', arguments: [{ path: '/word', eq: 'denied' }] }, then: { do: 'deny' } },
    ] });
    const { call, runId } = await open();
    for (const word of ['fine', 'denied', 'asked']) await call('note', { word }, word);
    await call('noSuchTool', {}, 'unknown');
    const told = async () => (await agent()('GET', `agent/runs/${runId}/events?limit=100`)).body.data as Body[];
    const events = await eventually(told, (all) => all.some(({ data }) => data.reason === 'expired'));
    const of = (callId: string) => events.filter(({ data }) => data.callId === callId).map(({ type, data: { rule, policy, reason } }) => [type, rule ?? policy ?? null, reason ?? null]);
    expect(of('fine')[0]).toEqual(['ToolCallAuthorised', null, null]);
    expect(of('denied')).toEqual([['ToolCallDenied', 'never that', 'policy_denied']]);
    expect(of('unknown')).toEqual([['ToolCallDenied', 'registry', 'tool_not_registered']]);
    expect(of('asked').filter(([, rule]) => rule !== null)).toEqual([['ToolCallParked', 'look twice', null], ['ToolCallDenied', 'approval', 'expired']]);
    const { metrics: _metrics, toolCalls } = (await agent()('GET', `agent/runs/${runId}`)).body.data;
    expect((toolCalls as Body[]).map(({ callId, status }) => [callId, status]).toSorted()).toEqual([['asked', 'denied'], ['denied', 'denied'], ['fine', 'executed'], ['unknown', 'denied']]);
    await admin('PUT', 'agent/policies', { rules: [] });
    await admin('PUT', 'settings', { approvalExpiryMsByKind: { tool_call: null } });
  });

  it('[TRUST-006] asks a human, one by one, about every call that is not a read at level 0, whatever would let it pass', async () => {
    const ROLE = 'Careful';
    await admin('POST', 'agent/roles', { name: ROLE, description: '', capabilities: ['items:read', 'items:write', 'items:update', 'items:delete', 'schema:read', 'schema:create', 'review:items', 'review:schema', 'review:tools'] });
    for (const capability of ['items:read', 'items:write', 'items:update', 'items:delete', 'schema:read', 'schema:create']) await grant(ROLE, capability, 0);
    await admin('PUT', 'settings', { contentOs: { vetoWindow: true, agentReview: true } });
    await admin('PUT', 'agent/policies', { rules: [{ name: 'all is well', when: {}, then: { do: 'allow' } }] });
    const id = await newItem((await open()).call);
    const { call } = await open({ agentRole: ROLE, budget: { maxToolCalls: 50 } });
    for (const [tool, args] of [['getItem', { collection: 'products', id }], ['listItems', { collection: 'products' }], ['listCollections', {}]] as const) {
      expect([tool, (await call(tool, args)).data.status]).toEqual([tool, 'executed']);
    }
    const writes: [string, Body][] = [
      ['note', { word: 'careful' }], ['createItem', { collection: 'products', data: { sku: 'L-0', title: 'Level 0' } }], ['updateItem', { collection: 'products', id, data: { title: 'Level 0' } }],
      ['createCollection', { name: 'level_zero', fields: [{ name: 'word', type: 'text' }] }], ['deleteItem', { collection: 'products', id }],
    ];
    const { data: tools } = (await admin('GET', 'agent/tools?limit=200')).body as { data: Body[] };
    expect(new Set(writes.map(([tool]) => tools.find(({ name }) => name === tool)!.dangerous))).toEqual(new Set([true, false]));
    const asked: string[] = [];
    for (const [tool, args] of writes) {
      const { data } = await call(tool, args);
      expect([tool, data.status, data.autonomy]).toEqual([tool, 'pending_approval', 0]);
      asked.push(data.approvalId as string);
    }
    const service = await server().newKey({ kind: 'service', capabilities: ['*'], roles: ['admin'] });
    const reviewing = (await (await server().newKey({ name: 'checker', capabilities: ['*'], roles: ['admin'] }))('POST', 'agent/goals', { title: 'Review', agentName: 'checker', agentRole: ROLE })).body.data;
    const before = await server().head();
    const batch = (await reviewer()('POST', 'agent/approvals/decide', { decisions: asked.map((approvalId) => ({ approvalId, decision: 'approved' })) })).body.data.results as Body[];
    expect(batch.map(({ problem }) => problem.status)).toEqual(asked.map(() => 403));
    for (const approvalId of asked) {
      const path = `agent/approvals/${approvalId}`;
      for (const by of [service, agent()]) expect((await by('POST', `${path}/decide`, { decision: 'approved' })).status).toBe(403);
      expect((await admin('POST', `${path}/agent-decide`, { reviewerRunId: reviewing.runId, verdict: 'approve', confidence: 1, reason: 'Fine' })).status).toBe(403);
      expect((await reviewer()('GET', path)).body.data).toMatchObject({ status: 'pending', humanOnly: true });
    }
    expect([await server().head(), ran.includes('careful')]).toEqual([before, false]);
    for (const approvalId of asked) {
      const decided = (await reviewer()('POST', `agent/approvals/${approvalId}/decide`, { decision: 'approved' })).body;
      expect(decided).toMatchObject({ data: { status: 'approved', call: { status: 'executed' } } });
    }
    await admin('PUT', 'agent/policies', { rules: [] });
    await admin('PUT', 'settings', { contentOs: { vetoWindow: false, agentReview: false } });
  });

  it('[TRUST-018] keeps a ledger by site, role and capability with level, evidence, who granted it and until when', async () => {
    const expiresAt = '2999-01-31T08:00:00.000Z';
    await admin('PUT', 'settings', { promotion: { streak: 7, decided: 3, rate: 0.9 } });
    await admin('PUT', 'agent/autonomy/grants', { agentRole: 'SEO', capability: 'items:update', level: 1, expiresAt });
    await grant('SEO', 'items:write', 3);
    const task = async (word: string) => (await agent()('POST', 'agent/goals', { title: word, agentName: 'robot', agentRole: 'SEO', task: { skillName: 'note', arguments: { word } } })).body.data as Body;
    for (const decision of ['approved', 'approved', 'rejected', 'approved']) {
      const { result } = await task('trust');
      await reviewer()('POST', `agent/approvals/${result.approvalId}/decide`, { decision, reason: 'Seen' });
    }
    await admin('POST', 'agent/incidents', { agentRole: 'SEO', capability: 'items:write', source: 'human_report', severity: 'low', detail: 'Odd' });
    const granter = (await server().log()).findLast(({ type }: Body) => type === 'AutonomyGranted')!.metadata.actor.id as string;
    const ledger = async () => ((await admin('GET', `agent/autonomy?minPosition=${await server().head()}`)).body.data.grants as Body[]).filter(({ agentRole }) => agentRole === 'SEO');
    const entries = await eventually(ledger, (all) => all.find(({ capability }) => capability === 'items:update')?.evidence.decided === 4);
    const required = { streak: 7, decided: 3, rate: 0.9 };
    expect(entries.find(({ capability }) => capability === 'items:update')).toEqual({
      siteId: 'site_demo', agentRole: 'SEO', capability: 'items:update', level: 1, expiresAt, grantedBy: granter, cause: 'granted',
      evidence: { streak: 1, decided: 4, approved: 3, rate: 0.75, openIncidents: 0, required },
    });
    expect(entries.find(({ capability }) => capability === 'items:write')).toMatchObject({ siteId: 'site_demo', level: 2, cause: 'demoted', expiresAt: null, evidence: { openIncidents: 1, decided: 0, rate: 0 } });
    for (const level of [0, 1, 2, 3, 4]) {
      await grant('SEO', 'items:read', level);
      expect((await ledger()).find(({ capability }) => capability === 'items:read')).toMatchObject({ level });
    }
    expect((await grant('SEO', 'items:read', 5)).status).toBe(422);
    const elsewhere = server().as((await admin('POST', 'sites', { name: 'Elsewhere' })).body.data.adminKey as string);
    expect((await elsewhere('GET', 'agent/autonomy')).body.data.grants).toEqual([]);
  });
});
