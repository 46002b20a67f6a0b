import { describe, expect, it } from '@jest/globals';
import { jobs } from './jobs';
import { type Api, type Body } from './server';

describe('Approvals that need several people', () => {
  const { ran, server, agent, reviewer, open, newItem } = jobs();
  const person = (name: string) => server().newKey({ name, kind: 'human', capabilities: ['approvals:decide'] });
  const decide = async (id: string, as: Api, body: Record<string, unknown> = { decision: 'approved' }) => (await as('POST', `agent/approvals/${id}/decide`, body)).body as Body;
  const needing = (quorum: number, tool: string) =>
    server().admin('PUT', 'agent/policies', { rules: [{ name: 'several', when: { tool }, then: { do: 'requireQuorum', quorum } }, { name: 'ask', when: { tool }, then: { do: 'ask' } }] });
  const asked = async (word: string) => (await (await open()).call('note', { word })).data as Body;

  it('[APPR-033] runs the call only after as many distinct people approved, and after one by default', async () => {
    const { call } = await open();
    expect((await reviewer()('GET', `agent/approvals/${(await call('deleteItem', { collection: 'products', id: await newItem(call) })).data.approvalId}`)).body.data.quorum).toBe(1);
    await needing(3, 'note');
    const { approvalId } = await asked('three of us');
    const [bob, cleo] = [await person('Bob'), await person('Cleo')];
    expect((await decide(approvalId, reviewer())).data).toMatchObject({ status: 'pending', call: { status: 'pending_approval' } });
    expect((await decide(approvalId, reviewer())).data.status).toBe('pending');
    expect((await decide(approvalId, bob)).data.status).toBe('pending');
    expect((await reviewer()('GET', `agent/approvals/${approvalId}`)).body.data).toMatchObject({ status: 'pending', quorum: 3, votes: [{ by: reviewer().id }, { by: bob.id }] });
    expect(ran.includes('three of us')).toBe(false);
    expect((await decide(approvalId, cleo)).data).toMatchObject({ status: 'approved', call: { status: 'executed' } });
    expect(ran.filter((word) => word === 'three of us')).toHaveLength(1);
    const votes = (await server().log()).filter(({ stream_id }: Body) => stream_id === `approval-${approvalId}`).map(({ type }: Body) => type);
    expect(votes).toEqual(['ApprovalRequested', 'ApprovalVoteCast', 'ApprovalVoteCast', 'ApprovalApproved', 'ApprovedCallSucceeded']);
  });

  it('is rejected by one of them', async () => {
    await needing(2, 'note');
    const { approvalId } = await asked('one no');
    await decide(approvalId, reviewer());
    expect((await decide(approvalId, await person('Dan'), { decision: 'rejected', reason: 'No' })).data).toMatchObject({ status: 'rejected', call: { status: 'denied' } });
    expect((await decide(approvalId, await person('Eve'))).code).toBe('ALREADY_DECIDED');
    expect(ran.includes('one no')).toBe(false);
  });

  it('counts votes for the same arguments only', async () => {
    await needing(2, 'note');
    const { approvalId } = await asked('as asked');
    const edited = { decision: 'approved', arguments: { word: 'as edited' } };
    expect((await decide(approvalId, reviewer(), edited)).data.status).toBe('pending');
    expect((await decide(approvalId, await person('Fay'))).data.status).toBe('pending');
    expect((await decide(approvalId, await person('Gus'), edited)).data).toMatchObject({ status: 'approved', call: { result: { word: 'as edited' } } });
    expect(ran.includes('as asked')).toBe(false);
  });

  it('takes votes of many at once, and runs once', async () => {
    await needing(5, 'note');
    const { approvalId } = await asked('all at once');
    const people = await Promise.all(Array.from({ length: 8 }, (_, n) => person(`P${n}`)));
    const answers = await Promise.all(people.map((each) => decide(approvalId, each)));
    expect(answers.filter(({ data }) => data?.status === 'approved' && data.call.status === 'executed')).toHaveLength(1);
    expect(answers.filter(({ code }) => code === 'ALREADY_DECIDED')).toHaveLength(3);
    expect(ran.filter((word) => word === 'all at once')).toHaveLength(1);
    const { data: run } = (await agent()('GET', 'agent/runs?limit=1')).body;
    expect(run).toHaveLength(1);
  });
});
