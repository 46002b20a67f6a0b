import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aggregates, catalogue } from '../../apps/gateway/src/composition';
import { builtCheckout, CommandLine } from './command-line';
import { jobs } from './jobs';
import { Processes } from './processes';
import { ADMIN_KEY, sentEvents, type Api, type Body } from './server';
import { tablesOf } from './tables';

describe('Replay over HTTP', () => {
  const { server, agent, reviewer, open, newItem } = jobs({ replayed: false });
  const processes = new Processes();
  let auditor: Api;
  let runId: string;
  let goalId: string;
  let approvalId: string;
  let callId: string;
  /** Log positions worth remembering. */
  const at: Record<'begun' | 'asked' | 'decided' | 'granted' | 'ruled', string> = { begun: '', asked: '', decided: '', granted: '', ruled: '' };

  const head = async () => String(await server().head());
  const get = async (path: string, by = auditor) => by('GET', path);
  const verdictOf = async (query = ''): Promise<{ progress: Body[]; verdict: Body }> => {
    const answer = await fetch(`${server().url}/api/v1/agent/replay/verify${query}`, { headers: { authorization: `Bearer ${auditor.key}` } });
    expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const progress: Body[] = [];
    for await (const { event, data } of sentEvents(answer)) {
      if (event === 'verdict') return { progress, verdict: data };
      progress.push(data);
    }
    throw new Error('No verdict');
  };

  /** A staged change, a call approved with other arguments, a pinned field, and a frozen role. */
  const moreOfEverything = async (id: string) => {
    const { admin } = server();
    await admin('PUT', 'agent/policies', { rules: [] });
    await admin('PUT', 'settings', { contentOs: { vetoWindow: true } });
    await admin('PUT', 'agent/autonomy/grants', { agentRole: 'Translator', capability: 'items:update', level: 3 });
    const careful = await open({ agentRole: 'Translator', approvalPolicy: 'before_commit' });
    const staged = (await careful.call('updateItem', { collection: 'products', id, data: { title: 'C' } })).data;
    const plain = await open();
    const asked = (await plain.call('deleteItem', { collection: 'products', id })).data;
    const another = await newItem(plain.call);
    const edited = await reviewer()('POST', `agent/approvals/${asked.approvalId as string}/decide`, { decision: 'approved', arguments: { collection: 'products', id: another } });
    const editor = await server().newKey({ name: 'Editor', kind: 'human', capabilities: ['items:update', 'items:read'] });
    await editor('POST', `items/products/${id}/pins`, { fields: ['title'] });
    const pinned = (await plain.call('updateItem', { collection: 'products', id, data: { title: 'D' } })).data;
    await admin('POST', 'agent/kill-switch', { scope: 'role', targetId: 'Translator' });
    const frozen = (await careful.call('note', { word: 'z' })).data;
    expect([staged.status, edited.body.data?.call?.status, pinned.reason, frozen.reason]).toEqual(['staged', 'executed', 'pinned_by_human', 'frozen']);
  };

  /** A session with everything in it: parallel calls, rules that change in between, an approval, a refusal, two denials, a failure. */
  beforeAll(async () => {
    auditor = await server().newKey({ name: 'Auditor', kind: 'human', capabilities: ['audit:read'] });
    const job = await open({ agentRole: 'Writer' });
    ({ runId, goalId } = job);
    const id = await newItem(job.call);
    at.begun = await head();
    await Promise.all([
      ...['a', 'b', 'c', 'd'].map((word) => job.call('note', { word })),
      server().admin('PUT', 'agent/tools/note', { description: 'Notes one word.' }),
      ...['e', 'f'].map((word) => job.call('note', { word })),
    ]);
    await server().admin('PUT', 'agent/policies', { rules: [{ name: 'ask first', when: { tool: 'updateItem' }, then: { do: 'ask' } }] });
    at.ruled = await head();
    const asked = (await job.call('updateItem', { collection: 'products', id, data: { title: 'B' } })).data;
    ({ approvalId, callId } = asked as { approvalId: string; callId: string });
    at.asked = await head();
    await server().admin('PUT', 'agent/autonomy/grants', { agentRole: 'Writer', capability: 'items:update', level: 1 });
    at.granted = await head();
    await job.call('nothing');
    await job.call('note', { wrong: true });
    await job.call('breakThings');
    const other = await open();
    const refused = (await other.call('deleteItem', { collection: 'products', id })).data;
    await reviewer()('POST', `agent/approvals/${refused.approvalId as string}/decide`, { decision: 'rejected', reason: 'Still sold' });
    const decided = await reviewer()('POST', `agent/approvals/${approvalId}/decide`, { decision: 'approved' });
    expect([decided.status, decided.body.data?.call?.status]).toEqual([200, 'executed']);
    at.decided = await head();
    await moreOfEverything(id);
    await agent()('POST', `agent/runs/${runId}/complete`, {});
  });
  afterAll(() => processes.cleanUp());

  it('[REPLAY-005] takes every decision of a whole session again as it was recorded', async () => {
    const decisions = (await server().log()).filter((event: Body) => event.data.inputs !== undefined);
    const { verdict, progress } = await verdictOf();
    expect(verdict).toEqual({ ok: true, decisions: decisions.length, differing: 0, mismatches: [], position: await head() });
    expect(decisions.length).toBeGreaterThan(12);
    expect(progress.length).toBeGreaterThan(0);
    const ofRun = decisions.filter((event: Body) => event.stream_id === `run-${runId}`).length;
    expect((await verdictOf(`?runId=${runId}`)).verdict).toMatchObject({ ok: true, decisions: ofRun });
    expect((await verdictOf(`?from=${at.asked}`)).verdict).toMatchObject({ ok: true, differing: 0 });
  });

  it('[REPLAY-002] shows a run as it was, with what each decision was taken on', async () => {
    const early = (await get(`agent/runs/${runId}/at?position=${at.begun}`)).body;
    expect(early.data).toMatchObject({ status: 'running', budgetUsed: { toolCalls: 1 }, toolCalls: [{ tool: 'createItem', status: 'executed' }], asOf: { position: early.position } });
    const waiting = (await get(`agent/runs/${runId}/at?position=${at.asked}`)).body.data;
    expect(waiting).toMatchObject({ status: 'awaiting_approval', budgetUsed: { toolCalls: 8 }, approvals: [approvalId] });
    expect(waiting.decisions.at(-1)).toMatchObject({ type: 'ToolCallParked', callId, tool: 'updateItem', inputs: { approved: false, handled: true, capabilities: expect.any(Array), origin: 'user' } });
    const { occurredAt } = waiting.asOf;
    expect((await get(`agent/runs/${runId}/at?time=${occurredAt as string}`)).body.data.status).toBe('awaiting_approval');
    expect((await get(`agent/runs/${runId}/at?position=${await head()}`)).body.data.status).toBe('succeeded');
    const before = await get(`agent/runs/${runId}/at?position=1`);
    expect([before.status, before.body.code, before.body.detail]).toEqual([404, 'NOT_FOUND', expect.stringContaining('did not exist at that moment')]);
  });

  it('[REPLAY-003] shows what a site\'s decisions depended on at any position', async () => {
    const siteAt = async (position: string) => (await get(`agent/replay/governance?position=${position}`)).body.data;
    const before = await siteAt(at.begun);
    expect(before).toMatchObject({ policies: [], grants: [], freezes: [], constitution: null, flags: { vetoWindow: false }, settings: { separationOfDuties: false } });
    expect(before.roles.map(({ name }: Body) => name)).toContain('Writer');
    expect((await siteAt(at.ruled)).policies).toMatchObject([{ name: 'ask first' }]);
    expect(await siteAt(at.ruled)).toMatchObject({ grants: [] });
    expect((await siteAt(at.granted)).grants).toMatchObject([{ agentRole: 'Writer', capability: 'items:update', level: 1, inForce: true }]);
  });

  it('[REPLAY-004] shows an approval and a trust level as they were', async () => {
    const approvalAt = async (position: string) => (await get(`agent/approvals/${approvalId}/at?position=${position}`)).body.data;
    expect(await approvalAt(at.asked)).toMatchObject({ approvalId, status: 'pending', state: { request: { callId, tool: 'updateItem' } } });
    expect(await approvalAt(at.decided)).toMatchObject({ status: 'approved', state: { decided: { by: { id: reviewer().id } } } });
    const { occurredAt } = (await approvalAt(at.asked)).asOf;
    expect((await get(`agent/approvals/${approvalId}/at?time=${occurredAt as string}`)).body.data.status).toBe('pending');
    const levelAt = async (moment: string) => (await get(`agent/autonomy/at?${moment}`)).body.data.grants;
    expect(await levelAt(`position=${at.ruled}`)).toEqual([]);
    const [grant] = await levelAt(`position=${at.granted}`);
    expect(grant).toMatchObject({ agentRole: 'Writer', level: 1, inForce: true });
    expect((await levelAt('time=2999-01-01T00:00:00Z')).map(({ level }: Body) => level)).toEqual([1, 3]);
  });

  it('[REPLAY-001] shows any stream at a version, a position or a time, and has a fold for every category', async () => {
    const streams = [...new Set((await server().log()).map((event: Body) => event.stream_id as string))] as string[];
    const mine = (category: string) => streams.find((stream) => stream.startsWith(`${category}-`))!;
    for (const category of ['governance', 'principal', 'goal', 'run', 'approval', 'collection', 'item']) {
      const answers = await Promise.all(['version=1', `position=${await head()}`, 'time=2999-01-01T00:00:00Z'].map((moment) => get(`agent/replay/streams/${encodeURIComponent(mine(category))}?${moment}`)));
      expect(answers.map(({ status, body }) => [status, body.data.streamId])).toEqual(answers.map(() => [200, mine(category)]));
      expect([answers[0]!.body.data.asOf.version, answers[1]!.body.data]).toEqual([1, answers[2]!.body.data]);
    }
    expect((await get(`agent/replay/streams/goal-${goalId}?version=1`)).body.data.state).toMatchObject({ status: 'open' });
    const run = (await get(`agent/replay/streams/run-${runId}?position=${at.asked}`)).body.data;
    expect(run.decisions.at(-1)).toMatchObject({ callId, inputs: { approved: false } });
    expect([...new Set(catalogue.all().map(({ category }) => category))].filter((category) => !aggregates.some((each) => each.category === category))).toEqual([]);
  });

  it('wants one moment, and shows nothing of other sites', async () => {
    for (const query of ['', '?position=1&time=2999-01-01T00:00:00Z', '?position=x', '?version=0']) {
      expect([query, (await get(`agent/runs/${runId}/at${query}`)).status]).toEqual([query, 422]);
    }
    expect((await get(`agent/runs/${runId}/at?position=${at.begun}`, agent())).status).toBe(403);
    const elsewhere = server().as((await server().admin('POST', 'sites', { name: 'Elsewhere' })).body.data.adminKey as string);
    for (const path of [`agent/runs/${runId}/at`, `agent/approvals/${approvalId}/at`, `agent/replay/streams/goal-${goalId}`]) {
      expect([path, (await get(`${path}?position=${await head()}`, elsewhere)).status]).toEqual([path, 403]);
    }
    expect((await get(`agent/replay/verify?runId=${runId}`, elsewhere)).status).toBe(403);
  });

  it('[REPLAY-007] leaves everything as it was', async () => {
    // What follows the log by itself comes up to a second after what was appended before.
    const contents = async () => Object.fromEntries(await Promise.all(
      (await tablesOf(server().pool)).filter((table) => !/lease|consumer|usage|status|checkpoint|deadline|metric|heartbeat/.test(table)).map(async (table) => [table, (await server().pool.query<Body>(`SELECT count(*) FROM "${table}"`)).rows[0]!.count]),
    )) as Record<string, string>;
    const before = await contents();
    await verdictOf();
    await server().admin('POST', 'agent/replay/backtest', { candidate: { policies: [] } });
    await get(`agent/replay/governance?position=${at.begun}`);
    expect(await contents()).toEqual(before);
  });

  it('[CLI-007] [REPLAY-006] harness replay exits 0 when all is reproduced, and 1 with the name of the event when it is not', async () => {
    const line = new CommandLine(await builtCheckout(processes.directory()), { HARNESS_URL: server().url, HARNESS_KEY: ADMIN_KEY });
    try {
      const site = await line.run(['replay', 'site']);
      expect(site).toMatchObject({ code: 0, out: expect.stringMatching(/^Reproduced: \d+ decisions, each as recorded\.\n$/) });
      expect(site.err).toMatch(/^Replaying ={30} 100%$/m);
      expect(await line.run(['replay', 'run', runId])).toMatchObject({ code: 0 });

      // One number of one event, as somebody with the rights of the database's owner can do.
      await server().pool.query('ALTER TABLE es_event DISABLE TRIGGER ALL');
      const { rows } = await server().pool.query<Body>(`UPDATE es_event SET data = replace(data, '"autonomy":2', '"autonomy":4') WHERE position = (
        SELECT min(position) FROM es_event WHERE stream_id = $1 AND type = 'ToolCallAuthorised') RETURNING position::text, event_id`, [`run-${runId}`]);
      for (const command of [['replay', 'site'], ['replay', 'run', runId]]) {
        const different = await line.run([...command, '--json']);
        expect(different.code).toBe(1);
        expect(JSON.parse(different.out)).toMatchObject({ ok: false, differing: 1, mismatches: [{ position: rows[0].position, eventId: rows[0].event_id, differences: [{ path: '/autonomy', recorded: 4, replayed: 2 }] }] });
      }
    } finally {
      line.cleanUp();
    }
  });
});
