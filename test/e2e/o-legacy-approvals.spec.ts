import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { jobs } from './o-jobs';
import { type Api, type Body } from './server';

describe('The classic copilot\'s view of approvals', () => {
  const { ran, server, agent, reviewer, open } = jobs();
  let stranger: Api;
  beforeAll(async () => {
    stranger = server().as((await server().admin('POST', 'sites', { name: 'Elsewhere' })).body.data.adminKey as string);
  });
  const asking = () => open({ approvalPolicy: 'before_execute', budget: { maxToolCalls: 1_000, timeoutMs: 3_600_000 } });
  const list = async (as: Api = reviewer()): Promise<Body[]> => (await as('GET', 'ai/approvals', undefined, { 'x-min-position': String(await server().head()) })).body.data;
  const decide = (id: string, body: unknown, as: Api = reviewer()) => as('POST', `ai/approvals/${id}/decide`, body);
  const general = async (id: string): Promise<Body> => (await reviewer()('GET', `agent/approvals/${id}`)).body.data;

  it('[APPR-053] [APPR-054] shows and decides the same approvals as the general view', async () => {
    const { call } = await asking();
    const [one, two, three] = [(await call('note', { word: 'l-1' })).data, (await call('note', { word: 'l-2' })).data, (await call('breakThings')).data];
    expect((await list()).find(({ id }) => id === one.approvalId)).toMatchObject({ agentApprovalId: one.approvalId, skill: 'note', arguments: { word: 'l-1' }, status: 'pending' });
    expect((await decide(one.approvalId, { decision: 'approved' })).body.data).toMatchObject({ status: 'executed', data: { word: 'l-1' }, agentApprovalId: one.approvalId });
    expect(await general(one.approvalId)).toMatchObject({ status: 'approved', decidedBy: reviewer().id, channel: 'legacy_api' });
    await reviewer()('POST', `agent/approvals/${two.approvalId}/decide`, { decision: 'approved' });
    expect((await list()).some(({ id }) => [one.approvalId, two.approvalId].includes(id))).toBe(false);
    expect((await decide(two.approvalId, { decision: 'approved' })).body.data).toMatchObject({ status: 'denied' });
    expect((await decide(three.approvalId, { decision: 'approved' })).body.data).toMatchObject({ status: 'pending_approval', message: 'The press is jammed' });
    expect((await general(three.approvalId)).status).toBe('pending');
    expect(ran.filter((word) => word.startsWith('l-'))).toEqual(['l-1', 'l-2']);
  });

  it('[APPR-055] [RISK-004] rejects without a reason, which the general view does not take, and runs nothing', async () => {
    const { call } = await asking();
    const { approvalId } = (await call('note', { word: 'l-no' })).data;
    for (const decision of ['rejected', 'changes_requested']) expect((await reviewer()('POST', `agent/approvals/${approvalId}/decide`, { decision })).status).toBe(422);
    const answer = await decide(approvalId, { decision: 'rejected' });
    expect([answer.status, answer.body.data]).toMatchObject([200, { status: 'denied', message: 'rejected' }]);
    expect(await general(approvalId)).toMatchObject({ status: 'rejected', decision: 'rejected' });
    expect(ran.includes('l-no')).toBe(false);
  });

  it('denies what is missing, foreign or decided, and changes nothing', async () => {
    const { call } = await asking();
    const { approvalId } = (await call('note', { word: 'l-c6' })).data;
    const before = await server().head();
    const missing = await decide(`appr_${'0'.repeat(32)}`, { decision: 'approved' });
    const foreign = await decide(approvalId, { decision: 'approved' }, stranger);
    expect([missing.status, foreign.status]).toEqual([200, 200]);
    expect([missing.body.data.status, foreign.body.data.status, foreign.body.data.message === missing.body.data.message]).toEqual(['denied', 'denied', true]);
    expect(await server().head()).toBe(before);
    expect((await general(approvalId)).status).toBe('pending');
  });

  it('[APPR-049] property C11: lists only pending ones of this site, newest first, at most 100', async () => {
    const { call } = await asking();
    const mine: string[] = [];
    const settle = fc.constantFrom(undefined, 'approved', 'rejected');
    await fc.assert(
      fc.asyncProperty(fc.array(settle, { minLength: 1, maxLength: 4 }), async (fates) => {
        for (const fate of fates) {
          const { approvalId } = (await call('note', { word: 'c11' }, `c11-${mine.length}-${Math.trunc(performance.now() * 1_000)}`)).data as Body;
          if (fate === undefined) mine.push(approvalId as string);
          else await reviewer()('POST', `agent/approvals/${approvalId}/decide`, { decision: fate, reason: 'x' });
        }
        const listed = await list();
        expect(listed.length).toBeLessThanOrEqual(100);
        expect(listed.every(({ status, siteId }) => status === 'pending' && siteId === 'site_demo')).toBe(true);
        const ids = listed.map(({ id }) => id as string);
        expect(ids).toEqual(ids.toSorted().toReversed());
        const newest = mine.toReversed().slice(0, 90);
        expect(ids.filter((id) => newest.includes(id))).toEqual(newest);
      }),
      { numRuns: 100 },
    );
    expect(mine.length).toBeGreaterThan(60);
    expect(await list(stranger)).toEqual([]);
  }, 60_000);

  it('[APPR-050] property C12: takes approved and rejected, and no other decision', async () => {
    const { call } = await asking();
    const { approvalId } = (await call('note', { word: 'l-c12' })).data;
    const other = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('changes_requested', 'Approved', 'approve', 'pending', ' approved'), fc.integer(), fc.boolean(), fc.constant(null), fc.constant(undefined))
      .filter((value) => value !== 'approved' && value !== 'rejected' && !(typeof value === 'string' && (!value.isWellFormed() || value.includes('\u0000'))));
    await fc.assert(
      fc.asyncProperty(other, async (decision) => {
        const answer = await decide(approvalId, { decision });
        expect([answer.status, answer.body]).toMatchObject([400, { errors: [{ code: 'VALIDATION_FAILED', message: expect.any(String) }] }]);
      }),
      { numRuns: 100 },
    );
    expect((await general(approvalId)).status).toBe('pending');
    expect((await decide(approvalId, { decision: 'approved' })).body.data.status).toBe('executed');
  }, 60_000);

  it('[API-006] gives every error in the classic form', async () => {
    const form = { errors: [{ code: expect.stringMatching(/^[A-Z_]+$/), message: expect.any(String) }] };
    const nobody = server().as('hk_nobody-at-all');
    const answers = [
      await nobody('GET', 'ai/approvals'), await decide('appr_x', '{"decision":'), await decide('appr_x', {}), await reviewer()('GET', 'ai/nowhere'),
      await agent()('POST', 'ai/approvals/appr_x/decide', { decision: 'approved' }), await reviewer()('GET', 'ai/approvals?limit=1'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 400, 400, 404, 403, 400]);
    for (const { body, headers } of answers) {
      expect(body).toEqual(form);
      expect(headers.get('content-type')).toContain('application/json');
    }
  });
});
