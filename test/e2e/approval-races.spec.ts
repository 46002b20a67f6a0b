import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jobs } from './jobs';
import { type Answer, type Api, type Body } from './server';

const PAIRS = 1_000;
const RUNS = 10;
const AT_ONCE = 64;

/** Every task once, at most so many at the same time. */
const inParallel = async <T, R>(tasks: readonly T[], run: (task: T, n: number) => Promise<R>): Promise<R[]> => {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let n = next++; n < tasks.length; n = next++) results[n] = await run(tasks[n]!, n);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
};

describe('Approvals under attack', () => {
  const { ran, server, agent, reviewer, open } = jobs();
  let bob: Api & { readonly id: string };
  let stranger: Api;
  const decide = (id: string, as: Api, body: Record<string, unknown> = { decision: 'approved' }) => as('POST', `agent/approvals/${id}/decide`, body);
  const view = async (id: string): Promise<Body> => (await reviewer()('GET', `agent/approvals/${id}`)).body.data;
  const asking = () => open({ approvalPolicy: 'before_execute', budget: { maxToolCalls: 100_000, timeoutMs: 86_400_000 } });
  const unchanged = async (act: () => Promise<unknown>) => {
    const before = await server().head();
    await act();
    expect(await server().head()).toBe(before);
  };
  beforeAll(async () => {
    bob = await server().newKey({ name: 'Bob', kind: 'human', capabilities: ['approvals:decide'] });
    stranger = server().as((await server().admin('POST', 'sites', { name: 'Elsewhere' })).body.data.adminKey as string);
  });

  it(`[APPR-037] lets exactly one of two win, ${PAIRS} times, and runs each call once`, async () => {
    const many = await Promise.all(Array.from({ length: RUNS }, asking));
    const waiting = await inParallel(Array.from({ length: PAIRS }, (_, n) => n), async (n) => (await many[n % RUNS]!.call('note', { word: `pair-${n}` })).data as Body);
    const started = performance.now();
    const pairs = await inParallel(waiting, ({ approvalId }) => Promise.all([decide(approvalId as string, reviewer()), decide(approvalId as string, bob)]));
    const seconds = (performance.now() - started) / 1_000;
    for (const [n, pair] of pairs.entries()) {
      const [winner, loser] = (pair[0].status === 200 ? pair : pair.toReversed()) as [Answer, Answer];
      expect([winner.status, loser.status]).toEqual([200, 409]);
      expect(winner.body.data).toMatchObject({ status: 'approved', call: { callId: waiting[n]!.callId, status: 'executed', result: { word: `pair-${n}` } } });
      const by = winner === pair[0] ? reviewer().id : bob.id;
      expect(loser.body).toMatchObject({ code: 'ALREADY_DECIDED', facts: { by, at: expect.any(String), status: 'approved' } });
    }
    const counts = Map.groupBy(ran.filter((word) => word.startsWith('pair-')), (word) => word);
    expect([counts.size, [...counts.values()].every(({ length }) => length === 1)]).toEqual([PAIRS, true]);
    const approved = (await server().log()).filter(({ type, stream_id }: Body) => type === 'ApprovalApproved' && waiting.some(({ approvalId }) => stream_id === `approval-${approvalId}`));
    expect(approved).toHaveLength(PAIRS);
    process.stdout.write(`  ${PAIRS} pairs of decisions in ${seconds.toFixed(1)} s: ${Math.round((2 * PAIRS) / seconds)} decisions a second\n`);
  }, 120_000);

  it('lets one of an approval and a rejection win, and the call runs if it was the approval', async () => {
    const { call } = await asking();
    const waiting = await inParallel(Array.from({ length: 200 }, (_, n) => n), async (n) => (await call('note', { word: `mixed-${n}` })).data as Body);
    const pairs = await inParallel(waiting, ({ approvalId }) =>
      Promise.all([decide(approvalId as string, reviewer()), decide(approvalId as string, bob, { decision: 'rejected', reason: 'No' })]));
    for (const [n, [yes, no]] of pairs.entries()) {
      expect([yes.status, no.status].toSorted()).toEqual([200, 409]);
      expect(ran.filter((word) => word === `mixed-${n}`)).toHaveLength(yes.status === 200 ? 1 : 0);
    }
  }, 60_000);

  it('tells the second of two, after a task run has ended, who was first', async () => {
    const { data } = (await agent()('POST', 'agent/goals', { title: 'T', agentName: 'robot', approvalPolicy: 'before_execute', task: { skillName: 'note', arguments: { word: 'task' } } })).body;
    await decide(data.result.approvalId as string, reviewer());
    expect((await decide(data.result.approvalId as string, bob)).body).toMatchObject({ code: 'ALREADY_DECIDED', facts: { by: reviewer().id, status: 'approved' } });
  });

  it('[APPR-045] property C5: an approved call that succeeds is executed, and its approval says by whom and when', async () => {
    const { call } = await asking();
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 40 }).filter((word) => word.isWellFormed() && !word.includes('\u0000')), async (word) => {
        const { approvalId } = (await call('note', { word })).data as Body;
        const { body } = await decide(approvalId as string, reviewer());
        expect(body.data).toMatchObject({ status: 'approved', call: { status: 'executed', result: { word } } });
        expect(await view(approvalId as string)).toMatchObject({ status: 'approved', decidedBy: reviewer().id, decidedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
      }),
      { numRuns: 100 },
    );
  }, 60_000);

  it('[APPR-036] [APPR-046] property C6: an approval that is missing, foreign or decided is refused and nothing changes', async () => {
    const { call } = await asking();
    const waiting = (await call('note', { word: 'c6-waits' })).data as Body;
    const settled = await Promise.all(['approved', 'rejected', 'changes_requested'].map(async (decision) => {
      const { approvalId } = (await call('note', { word: `c6-${decision}` })).data as Body;
      await decide(approvalId as string, reviewer(), { decision, reason: 'First' });
      return approvalId as string;
    }));
    const target = fc.oneof(
      fc.record({ id: fc.uuid({ version: 7 }).map((uuid) => `appr_${uuid.replaceAll('-', '')}`), as: fc.constant('reviewer'), status: fc.constant(403) }),
      fc.record({ id: fc.constant(waiting.approvalId as string), as: fc.constant('stranger'), status: fc.constant(403) }),
      fc.record({ id: fc.constantFrom(...settled), as: fc.constant('reviewer'), status: fc.constant(409) }),
    );
    await fc.assert(
      fc.asyncProperty(target, fc.constantFrom('approved', 'rejected', 'changes_requested'), async ({ id, as, status }, decision) => {
        await unchanged(async () => {
          const answer = await decide(id, as === 'stranger' ? stranger : bob, { decision, reason: 'Second' });
          expect([answer.status, answer.body.code]).toEqual([status, status === 409 ? 'ALREADY_DECIDED' : 'FORBIDDEN']);
          if (status === 409) expect(answer.body.facts).toEqual({ by: reviewer().id, at: expect.any(String), status: expect.stringMatching(/^(approved|rejected)$/) });
        });
      }),
      { numRuns: 100 },
    );
    expect((await view(waiting.approvalId as string)).status).toBe('pending');
  }, 60_000);

  it('[APPR-047] property C7: an approved call that fails or is late leaves its approval pending, with the failure', async () => {
    await server().admin('PUT', 'agent/tools/waitForever', { timeoutMs: 5 });
    const { call } = await asking();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('breakThings', 'waitForever'), fc.integer({ min: 1, max: 3 }), async (tool, times) => {
        const { approvalId } = (await call(tool)).data as Body;
        for (let n = 0; n < times; n++) {
          const { body } = await decide(approvalId as string, reviewer());
          expect(body.data).toMatchObject({ status: 'pending', call: { status: 'pending_approval', reason: expect.stringMatching(/jammed|within 5 ms/) } });
        }
        expect(await view(approvalId as string)).toMatchObject({ status: 'pending', lastError: expect.stringMatching(/jammed|within 5 ms/), decidedBy: null });
        await decide(approvalId as string, reviewer(), { decision: 'rejected', reason: 'Enough' });
      }),
      { numRuns: 100 },
    );
  }, 90_000);

  it('[APPR-048] property C8: a site never sees, runs or notices the approvals of another', async () => {
    const { call } = await asking();
    const acts: Readonly<Record<string, (id: string) => readonly [string, string, unknown]>> = {
      get: (id) => ['GET', `agent/approvals/${id}`, undefined],
      decide: (id) => ['POST', `agent/approvals/${id}/decide`, { decision: 'approved' }],
      answer: (id) => ['POST', `agent/approvals/${id}/answer`, { text: 'Hello' }],
      extend: (id) => ['POST', `agent/approvals/${id}/extend`, { until: '2030-01-01T00:00:00Z' }],
      delegate: (id) => ['POST', `agent/approvals/${id}/delegate`, { to: bob.id }],
      escalate: (id) => ['POST', `agent/approvals/${id}/escalate`, { reason: 'Mine' }],
    };
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(acts)), fc.nat(), async (act, n) => {
        const word = `c8-${act}-${n}`;
        const { approvalId } = (await call('note', { word }, `${word}-${Math.trunc(performance.now() * 1_000)}`)).data as Body;
        await unchanged(async () => {
          const foreign = await stranger(...acts[act]!(approvalId as string));
          const unknown = await stranger(...acts[act]!(`appr_${'0'.repeat(32)}`));
          expect([foreign.status, foreign.text]).toEqual([403, unknown.text]);
          expect((await stranger('GET', 'agent/approvals')).body.data).toEqual([]);
          const batch = (await stranger('POST', 'agent/approvals/decide', { decisions: [{ approvalId, decision: 'approved' }] })).body.data.results;
          expect(batch[0].problem.code).toBe('FORBIDDEN');
        });
        expect(ran.includes(word)).toBe(false);
      }),
      { numRuns: 100 },
    );
  }, 60_000);
});
