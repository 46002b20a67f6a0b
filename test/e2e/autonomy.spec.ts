import { describe, expect, it } from '@jest/globals';
import { jobs } from './jobs';
import type { Api, Body } from './server';

describe('Autonomy', () => {
  const { server, agent, open, newItem } = jobs();
  const admin = (...call: Parameters<Api>) => server().admin(...call);
  const grant = (body: Body, by: Api = server().admin) => by('PUT', 'agent/autonomy/grants', { agentRole: 'Translator', capability: 'items:update', level: 3, ...body });
  const grants = async () => (await admin('GET', 'agent/autonomy')).body.data.grants as Body[];
  const history = async (query = '') => (await admin('GET', `agent/autonomy/history${query}`)).body as Body;

  it('[TRUST-016] is granted by a person who may, for a role and a capability', async () => {
    const person = await server().newKey({ kind: 'human', capabilities: ['autonomy:write', 'items:read', 'items:write', 'items:update', 'items:delete'] });
    const expiresAt = '2999-01-31T10:00:00+02:00';
    const answer = await grant({ expiresAt }, person);
    expect([answer.status, answer.body.data]).toEqual([200, {
      agentRole: 'Translator', capability: 'items:update', level: 3, expiresAt: '2999-01-31T08:00:00.000Z', grantedBy: person.id, cause: 'granted',
    }]);
    expect(await grants()).toMatchObject([answer.body.data]);
    const before = await server().head();
    expect((await grant({ expiresAt }, person)).status).toBe(200);
    expect(await server().head()).toBe(before);
    expect((await grant({ level: 4 })).body.data).toMatchObject({ level: 4, expiresAt: null });

    const noHumans = [await server().newKey({ kind: 'agent', capabilities: ['*'], roles: ['admin'] }), await server().newKey({ kind: 'service', capabilities: ['autonomy:write'] })];
    for (const by of noHumans) expect([(await grant({ level: 1 }, by)).status, (await grant({ level: 4 }, by)).body.code]).toEqual([403, 'FORBIDDEN']);
    expect((await grant({ level: 1 }, await server().newKey({ kind: 'human', capabilities: ['items:update'] }))).status).toBe(403);
    expect(await grants()).toMatchObject([{ level: 4 }]);
  });

  it('of a grant is in force at the next call', async () => {
    const { call } = await open();
    const id = await newItem(call);
    const update = async () => (await (await open({ agentRole: 'Writer' })).call('updateItem', { collection: 'products', id, data: { title: 'x' } })).data as Body;
    expect(await update()).toMatchObject({ status: 'executed', autonomy: 2 });
    await grant({ agentRole: 'Writer', level: 1 });
    expect(await update()).toMatchObject({ status: 'pending_approval', autonomy: 1 });
    await grant({ agentRole: 'Writer', level: 2 });
    expect(await update()).toMatchObject({ status: 'executed', autonomy: 2 });
  });

  it('shows no grant any more once it has expired', async () => {
    await grant({ agentRole: 'SEO', level: 4, expiresAt: new Date(Date.now() + 1_500).toISOString() });
    expect((await grants()).map(({ agentRole }) => agentRole)).toContain('SEO');
    const { eventually } = await import('./eventually');
    expect((await eventually(grants, (now) => !now.some(({ agentRole }) => agentRole === 'SEO'))).map(({ agentRole }) => agentRole)).not.toContain('SEO');
  });

  it('[TRUST-015] shows the grants that count and the incidents that are open', async () => {
    await grant({ agentRole: 'Taxonomist', level: 3 });
    const opened = await admin('POST', 'agent/incidents', { agentRole: 'Taxonomist', capability: 'items:update', source: 'human_report', severity: 'low', detail: 'Wrong shelf' });
    const both = async (position: string) => (await admin('GET', `agent/autonomy?minPosition=${position}`)).body.data as Body;
    const shown = await both(opened.body.position as string);
    expect(shown.grants.filter(({ agentRole }: Body) => agentRole === 'Taxonomist')).toMatchObject([{ capability: 'items:update', level: 2, cause: 'demoted' }]);
    expect(shown.incidents).toMatchObject([{ agentRole: 'Taxonomist', status: 'open', detail: 'Wrong shelf' }]);
    const id = shown.incidents[0].id as string;
    const resolved = await admin('POST', `agent/incidents/${id}/resolve`, { note: 'Put back' });
    expect((await both(resolved.body.position as string)).incidents).toEqual([]);
    expect((await history('?agentRole=Taxonomist')).data).toMatchObject([{ cause: 'demoted', causeId: id, from: 3, to: 2 }, { cause: 'granted', from: null, to: 3 }]);
  });

  it('[TRUST-017] has a history of its level changes with their causes, newest first', async () => {
    const of = '?agentRole=Librarian';
    expect((await history(of)).data).toEqual([]);
    for (const level of [0, 3, 1]) await grant({ agentRole: 'Librarian', level });
    const { data } = await history(of);
    expect(data).toMatchObject([{ from: 3, to: 1 }, { from: 0, to: 3 }, { from: null, to: 0 }]);
    for (const change of data) expect(change).toEqual({
      agentRole: 'Librarian', capability: 'items:update', from: change.from, to: change.to, cause: 'granted', causeId: null, by: { kind: 'human', id: expect.stringMatching(/^key_/) },
      at: expect.stringMatching(/Z$/), position: expect.stringMatching(/^\d+$/), expiresAt: null,
    });
    const first = await history(`${of}&limit=2`);
    const second = await history(`${of}&limit=2&cursor=${first.nextCursor as string}`);
    expect([[...first.data, ...second.data], second.nextCursor]).toEqual([data, null]);
    expect((await admin('GET', 'agent/autonomy/history?cursor=soon')).status).toBe(422);
  });

  it.each([
    ['a level beyond the scale', { level: 5 }, '/level'], ['half a level', { level: 1.5 }, '/level'], ['every capability at once', { capability: '*' }, '/capability'],
    ['a role nobody knows', { agentRole: 'Stranger' }, '/agentRole'], ['an expiry that is over', { expiresAt: '2020-01-01T00:00:00Z' }, '/expiresAt'],
  ])('is not granted with %s', async (_name, wrong, pointer) => {
    const before = await server().head();
    const answer = await grant(wrong);
    expect([answer.status, answer.body.facts.errors[0].pointer, await server().head()]).toEqual([422, pointer, before]);
  });

  it('can be read by anybody on the site', async () => {
    expect([(await agent()('GET', 'agent/autonomy')).status, (await agent()('GET', 'agent/autonomy/history')).status]).toEqual([200, 200]);
  });
});
