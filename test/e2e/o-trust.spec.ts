import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from './eventually';
import { jobs } from './o-jobs';
import { type Api, type Body } from './server';

const ROLE = 'Writer';
const CAPABILITY = 'items:update';

describe('The trust ledger', () => {
  const { server, reviewer } = jobs();
  const admin: Api = Object.assign((...args: Parameters<Api>) => server().admin(...args), { key: '' });
  let writer: Api & { readonly id: string };
  beforeAll(async () => {
    writer = await server().newKey({ name: 'writer', capabilities: ['items:update', 'items:read'], agentRole: ROLE });
  });
  const grant = (level: number, capability = CAPABILITY) => admin('PUT', 'agent/autonomy/grants', { agentRole: ROLE, capability, level });
  const levelOf = async (capability = CAPABILITY): Promise<number | undefined> =>
    ((await admin('GET', 'agent/autonomy')).body.data.grants as Body[]).find((each) => each.agentRole === ROLE && each.capability === capability)?.level as number | undefined;
  const report = (more: Body = {}) => admin('POST', 'agent/incidents', { source: 'human_report', severity: 'medium', detail: 'It went wrong', ...more });
  const resolve = async (opened: { body: Body }) => (await admin('POST', `agent/incidents/${opened.body.data.id}/resolve`, {})).status;
  const check = async (): Promise<Body> => (await admin('POST', 'agent/autonomy/promotions/check')).body.data;
  const pending = async (): Promise<Body[]> => (await admin('GET', 'agent/autonomy/promotions', undefined, { 'x-min-position': String(await server().head()) })).body.data;
  const task = async (word: string, approvalPolicy: string) =>
    (await writer('POST', 'agent/goals', { title: word, agentName: 'writer', approvalPolicy, task: { skillName: 'note', arguments: { word } } })).body.data as Body;
  const runs = async (count: number) => {
    for (let n = 0; n < count; n++) expect((await task('run', 'none')).runStatus).toBe('succeeded');
  };
  const decisions = async (count: number, decision = 'approved', as: Api = reviewer()) => {
    for (let n = 0; n < count; n++) {
      const { result } = await task('asked', 'before_execute');
      expect((await as('POST', `agent/approvals/${result.approvalId}/decide`, { decision, reason: 'Seen' })).status).toBe(200);
    }
  };

  it('[INC-001] [INC-002] [INC-003] [INC-005] opens incidents of seven sources and three severities, and lists them', async () => {
    const sources = ['veto', 'eval_fail', 'human_report', 'load_guard', 'runtime_error', 'commit_failure', 'breaker'];
    const { runId } = (await writer('POST', 'agent/goals', { title: 'Somewhere', agentName: 'writer' })).body.data;
    let position = '0';
    for (const [n, source] of sources.entries()) {
      const severity = ['low', 'medium', 'high'][n % 3];
      const opened = await report({ source, severity, detail: source, runId });
      expect([opened.status, opened.body.data]).toMatchObject([201, { id: expect.stringMatching(/^inc_[0-9a-f]{32}$/), status: 'open', source, severity, runId, agentRole: null, capability: null, demoted: [] }]);
      position = opened.body.position as string;
    }
    for (const wrong of [{ source: 'gossip' }, { severity: 'terrible' }, { detail: '' }]) expect((await report(wrong)).status).toBe(422);
    expect((await report({ runId: 'run_nobody' })).status).toBe(403);
    const list = (await admin('GET', 'agent/incidents', undefined, { 'x-min-position': position })).body.data as Body[];
    expect(list.map(({ detail }) => detail as string)).toEqual(sources.toReversed());
    const elsewhere = server().as((await admin('POST', 'sites', { name: 'Elsewhere' })).body.data.adminKey as string);
    expect((await elsewhere('GET', 'agent/incidents', undefined, { 'x-min-position': position })).body.data).toEqual([]);
  });

  it('[INC-004] resolves an incident once, with who and what they said', async () => {
    const opened = await report();
    const solved = await admin('POST', `agent/incidents/${opened.body.data.id}/resolve`, { note: 'Prices restored' });
    expect([solved.status, solved.body.data]).toMatchObject([200, { status: 'resolved', note: 'Prices restored', resolvedBy: expect.stringMatching(/^key_/) }]);
    expect((await admin('POST', `agent/incidents/${opened.body.data.id}/resolve`, {})).body).toMatchObject({ code: 'ALREADY_DECIDED', facts: { by: solved.body.data.resolvedBy } });
    const event = (await server().log()).find(({ type, stream_id }: Body) => type === 'IncidentResolved' && stream_id === `incident-${opened.body.data.id}`)!;
    expect(event).toMatchObject({ data: { note: 'Prices restored' }, metadata: { actor: { kind: 'human', id: solved.body.data.resolvedBy } } });
    expect((await writer('POST', 'agent/incidents', { source: 'runtime_error', severity: 'low', detail: 'x' })).status).toBe(403);
  });

  it('demotes in the very append that opens the incident, and the next call feels it', async () => {
    await grant(3);
    const before = await server().head();
    const opened = await report({ agentRole: ROLE, capability: CAPABILITY });
    expect(opened.body.data.demoted).toEqual([{ agentRole: ROLE, capability: CAPABILITY, from: 3, to: 2 }]);
    const written = (await server().pool.query<Body>('SELECT type, batch, data::jsonb AS data FROM es_event WHERE position > $1 ORDER BY position', [String(before)])).rows;
    expect(written.map(({ type }) => type as string)).toEqual(['IncidentOpened', 'AutonomyDemoted']);
    expect(written[1]!.data).toMatchObject({ from: 3, level: 2, incidentId: opened.body.data.id });
    expect(await levelOf()).toBe(2);
    const high = await report({ agentRole: ROLE, severity: 'high' });
    expect(await levelOf()).toBe(1);
    expect((await task('at level 1', 'none')).result).toMatchObject({ status: 'pending_approval', autonomy: 1 });
    const again = await report({ agentRole: ROLE, capability: CAPABILITY, severity: 'high' });
    expect([again.body.data.demoted, await levelOf()]).toEqual([[], 1]);
    for (const each of [opened, high, again]) expect(await resolve(each)).toBe(200);
    expect(await levelOf()).toBe(1);
    expect(((await admin('GET', 'agent/incidents?status=open&agentRole=Writer')).body.data as Body[])).toEqual([]);
  });

  it('[TRUST-020] [TRUST-022] [TRUST-025] [TRUST-026] [TRUST-027] proposes one level to an admin, once, with the evidence', async () => {
    await admin('PUT', 'settings', { promotion: { streak: 5, decided: 4, rate: 0.75 } });
    await grant(2);
    await decisions(3);
    await runs(3);
    expect((await check()).proposed).toEqual([]);
    await decisions(1);
    await runs(2);
    const [one, two] = await Promise.all([check(), check()]);
    expect([...(one.proposed as string[]), ...(two.proposed as string[])]).toHaveLength(1);
    expect((await check()).proposed).toEqual([]);
    const [proposal, ...more] = await pending();
    expect(more).toEqual([]);
    expect(proposal).toMatchObject({
      id: expect.stringMatching(/^prom_/), agentRole: ROLE, capability: CAPABILITY, from: 2, to: 3, status: 'pending',
      evidence: { streak: expect.any(Number), decided: 4, approved: 4, rate: 1, openIncidents: 0, required: { streak: 5, decided: 4, rate: 0.75 } },
    });
    expect((await admin('GET', `agent/approvals/${proposal!.approvalId}`)).body.data).toMatchObject({
      kind: 'promotion', status: 'pending', humanOnly: true, agentRole: ROLE, capability: CAPABILITY, arguments: { promotionId: proposal!.id, from: 2, to: 3, evidence: proposal!.evidence }, diff: [],
    });
    expect(await levelOf()).toBe(2);
  });

  it('[TRUST-028] takes effect by an admin\'s decision on its own route and by nothing else', async () => {
    const [proposal] = await pending();
    expect((await admin('POST', `agent/approvals/${proposal!.approvalId}/decide`, { decision: 'approved' })).status).toBe(403);
    const batch = await admin('POST', 'agent/approvals/decide', { decisions: [{ approvalId: proposal!.approvalId, decision: 'approved' }] });
    expect(batch.body.data.results[0].ok).toBe(false);
    const service = await server().newKey({ kind: 'service', roles: ['admin'], capabilities: ['*'] });
    const agentAdmin = await server().newKey({ kind: 'agent', roles: ['admin'], capabilities: ['*'] });
    const plain = await server().newKey({ kind: 'human', capabilities: ['approvals:decide', 'autonomy:write'] });
    for (const key of [service, agentAdmin, plain, writer]) {
      expect((await key('POST', `agent/autonomy/promotions/${proposal!.id}/decide`, { decision: 'approved' })).status).toBe(403);
    }
    expect(await levelOf()).toBe(2);
    const both = await Promise.all([1, 2].map(() => admin('POST', `agent/autonomy/promotions/${proposal!.id}/decide`, { decision: 'approved', reason: 'Well done' })));
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 200)!.body.data).toMatchObject({ status: 'approved', level: 3 });
    expect(await levelOf()).toBe(3);
    const promoted = (await server().log()).filter(({ type }: Body) => type === 'AutonomyPromoted');
    expect(promoted).toMatchObject([{ data: { from: 2, level: 3, promotionId: proposal!.id }, metadata: { actor: { kind: 'human' } } }]);
    expect(await pending()).toEqual([]);
  });

  it('withdraws a proposal when something goes wrong before anybody decided', async () => {
    expect((await check()).proposed).toHaveLength(1);
    const [proposal] = await pending();
    expect(proposal).toMatchObject({ from: 3, to: 4 });
    const opened = await report({ agentRole: ROLE, capability: CAPABILITY, severity: 'low' });
    expect((await admin('POST', `agent/autonomy/promotions/${proposal!.id}/decide`, { decision: 'approved' })).body.code).toBe('ACTION_CHANGED');
    expect((await check()).withdrawn).toEqual([proposal!.id]);
    expect(await levelOf()).toBe(2);
    expect((await admin('GET', `agent/approvals/${proposal!.approvalId}`)).body.data.status).toBe('superseded');
    expect((await check()).proposed).toEqual([]);
    await resolve(opened);
    expect((await check()).proposed).toHaveLength(1);
  });

  it('ends a streak with the first run that does not succeed, and a proposal with its time', async () => {
    await admin('PUT', 'settings', { approvalExpiryMsByKind: { promotion: 1_000 } });
    const [old] = await pending();
    await admin('POST', `agent/autonomy/promotions/${old!.id}/decide`, { decision: 'rejected' });
    const [again] = (await check()).proposed as string[];
    const end = await eventually(async () => (await admin('GET', `agent/autonomy/promotions?status=withdrawn`)).body.data as Body[], (list) => list.some(({ id }) => id === again));
    expect(end.find(({ id }) => id === again)).toMatchObject({ reason: 'nobody decided in time' });
    expect(await levelOf()).toBe(2);
    await writer('POST', 'agent/goals', { title: 'Fails', agentName: 'writer', task: { skillName: 'breakThings' } });
    expect((await check()).proposed).toEqual([]);
  });

  it('[TRUST-033] counts what humans decided and nothing that others did', async () => {
    await admin('PUT', 'settings', { promotion: { streak: 1, decided: 30, rate: 0.5 }, approvalExpiryMsByKind: { promotion: 3_600_000 } });
    await runs(1);
    const service = await server().newKey({ kind: 'service', capabilities: ['approvals:decide'] });
    await decisions(26, 'approved', service);
    expect((await check()).proposed).toEqual([]);
    await decisions(26);
    const { proposed } = await check();
    expect(proposed).toHaveLength(1);
    expect((await pending()).find(({ id }) => id === (proposed as string[])[0])!.evidence).toMatchObject({ decided: 30, approved: 30 });
  });
});
