import { beforeAll, describe, expect, it } from '@jest/globals';
import { jobs } from './jobs';
import type { Api, Body } from './server';

type Key = Api & { readonly id: string };

describe('A person with several keys', () => {
  const { ran, server, open, newItem } = jobs();
  const decider = (userId?: string, more: Record<string, unknown> = {}): Promise<Key> =>
    server().newKey({ name: userId ?? 'alone', kind: 'human', capabilities: ['approvals:decide', 'items:read', 'items:update'], ...(userId !== undefined && { userId }), ...more });
  const decide = async (id: string, as: Api, body: Record<string, unknown> = { decision: 'approved' }) => {
    const { status, body: { data, code, facts } } = await as('POST', `agent/approvals/${id}/decide`, body);
    return { status, data, code, facts } as Body;
  };
  const rules = (list: Body[]) => server().admin('PUT', 'agent/policies', { rules: list });
  let one: Key;
  let two: Key;
  let bob: Key;
  beforeAll(async () => {
    [one, two, bob] = [await decider('ada'), await decider('ada'), await decider()];
  });

  it('[APPR-024] is one person for a quorum', async () => {
    await rules([{ name: 'two', when: { tool: 'note' }, then: { do: 'requireQuorum', quorum: 2 } }, { name: 'ask', when: { tool: 'note' }, then: { do: 'ask' } }]);
    const { approvalId } = (await (await open()).call('note', { word: 'twice by one' })).data;
    for (const key of [one, two, two, one]) expect((await decide(approvalId, key)).data).toMatchObject({ status: 'pending' });
    expect(ran.includes('twice by one')).toBe(false);
    const shown = (await bob('GET', `agent/approvals/${approvalId}`, undefined, { 'x-min-position': String(await server().head()) })).body.data;
    expect(shown.votes).toMatchObject([{ by: one.id, userId: 'ada' }]);
    expect((await decide(approvalId, bob)).data).toMatchObject({ status: 'approved', call: { status: 'executed' } });
    expect(await decide(approvalId, two)).toMatchObject({ status: 409, code: 'ALREADY_DECIDED', facts: { by: bob.id } });
    await rules([]);
  });

  it('[APPR-024] is one person where duties are separated: nobody approves with one key what another key of theirs asked for', async () => {
    await server().admin('PUT', 'settings', { separationOfDuties: true });
    const robot = await server().newKey({ name: 'Ada\'s robot', capabilities: ['items:read', 'items:update'], userId: 'ada' });
    const admin = await decider('ada', { roles: ['admin'] });
    const run = async (by: Api) => (await by('POST', 'agent/goals', { title: 'Own', agentName: 'robot', approvalPolicy: 'before_execute' })).body.data.runId as string;
    const call = async (by: Api, runId: string, word: string) => (await by('POST', `agent/runs/${runId}/tool-calls`, { tool: 'note', arguments: { word } })).body.data as Body;
    const asked = await call(robot, await run(robot), 'own request');
    for (const key of [one, two, admin]) expect(await decide(asked.approvalId, key)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    expect((await admin('POST', 'agent/approvals/decide', { decisions: [{ approvalId: asked.approvalId, decision: 'approved' }] })).text).toContain('FORBIDDEN');
    // Ada asks with her admin key on a run of somebody else's robot.
    const strange = await server().newKey({ name: 'robot', capabilities: ['items:update'] });
    const lent = await call(admin, await run(strange), 'lent run');
    expect(await decide(lent.approvalId, one)).toMatchObject({ status: 403 });
    expect(ran.some((word) => ['own request', 'lent run'].includes(word))).toBe(false);
    for (const { approvalId } of [asked, lent]) expect((await decide(approvalId, bob)).data.call.status).toBe('executed');
    await server().admin('PUT', 'settings', { separationOfDuties: false });
  });

  it('[APPR-024] is one person before a change that waits to be published', async () => {
    await server().admin('PUT', 'settings', { separationOfDuties: true, contentOs: { vetoWindow: true } });
    const robot = await server().newKey({ name: 'robot', capabilities: ['items:read', 'items:update'], userId: 'ada' });
    const id = await newItem((await open()).call);
    const { runId } = (await robot('POST', 'agent/goals', { title: 'Stage', agentName: 'robot', approvalPolicy: 'before_commit' })).body.data;
    const staged = (await robot('POST', `agent/runs/${runId}/tool-calls`, { tool: 'updateItem', arguments: { collection: 'products', id, data: { title: 'New' } } })).body.data;
    const commit = (by: Api) => by('POST', `agent/staged/${staged.stagingId}/commit-now`);
    expect((await commit(two)).status).toBe(403);
    expect((await commit(bob)).body.data.status).toBe('committed');
    await server().admin('PUT', 'settings', { separationOfDuties: false, contentOs: { vetoWindow: false } });
  });

  it('cannot hand an approval to themselves, nor take back with another key what they handed on', async () => {
    const { approvalId } = (await (await open({ approvalPolicy: 'before_execute' })).call('note', { word: 'handed on' })).data;
    const delegate = (to: string) => one('POST', `agent/approvals/${approvalId}/delegate`, { to });
    expect((await delegate(two.id)).body.facts.errors[0].pointer).toBe('/to');
    expect((await delegate(bob.id)).status).toBe(200);
    expect(await decide(approvalId, two)).toMatchObject({ status: 403 });
    expect((await bob('POST', `agent/approvals/${approvalId}/delegate`, { to: two.id })).status).toBe(200);
    expect((await decide(approvalId, one)).data).toMatchObject({ status: 'approved' });
  });

  it('[APPR-024] gets no second person by issuing keys: only an admin names the user of a key', async () => {
    const issuer = await decider('carl', { capabilities: ['approvals:decide', 'api-keys:create'] });
    const issue = (body: Body) => issuer('POST', 'api-keys', { name: 'more', kind: 'human', capabilities: ['approvals:decide'], ...body });
    expect((await issue({ userId: 'ada' })).body.code).toBe('FORBIDDEN');
    const second = server().as((await issue({})).body.data.key as string);
    await rules([{ name: 'two', when: { tool: 'note' }, then: { do: 'requireQuorum', quorum: 2 } }, { name: 'ask', when: { tool: 'note' }, then: { do: 'ask' } }]);
    const { approvalId } = (await (await open()).call('note', { word: 'puppets' })).data;
    for (const key of [issuer, second]) expect((await decide(approvalId, key)).data.status).toBe('pending');
    // The same for a key that stands for itself.
    const lonely = await decider(undefined, { capabilities: ['approvals:decide', 'api-keys:create'] });
    const child = await server().newKey({ name: 'child', kind: 'human', capabilities: ['approvals:decide'] }, lonely);
    const next = (await (await open()).call('note', { word: 'puppets of one' })).data;
    for (const key of [lonely, child]) expect((await decide(next.approvalId, key)).data.status).toBe('pending');
    const keys = (await server().admin('GET', 'api-keys?limit=200', undefined, { 'x-min-position': String(await server().head()) })).body.data as Body[];
    expect(keys.find(({ id }) => id === child.id)).toMatchObject({ userId: lonely.id });
    expect(ran.some((word) => word.startsWith('puppets'))).toBe(false);
    await rules([]);
  });
});
