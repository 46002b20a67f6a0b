import { describe, expect, it } from '@jest/globals';
import { SEEDED_ROLES } from '@app/governance/contract';
import { jobs } from './o-jobs';
import type { Api, Body } from './server';

const SEEDED = ['FactChecker', 'Librarian', 'Planner', 'SEO', 'Taxonomist', 'Translator', 'Writer'];

describe('Roles', () => {
  const { server, agent, open } = jobs();
  const listed = async (by: Api = server().admin) => (await by('GET', 'agent/roles')).body.data as Body[];
  const admin = (...call: Parameters<Api>) => server().admin(...call);

  it('[ROLE-001] are seven on every site from its beginning', async () => {
    const { adminKey } = (await admin('POST', 'sites', { name: 'Second' })).body.data;
    for (const by of [server().admin, server().as(adminKey as string)]) {
      const roles = await listed(by);
      expect(roles.map(({ name, enabled }) => [name, enabled])).toEqual(SEEDED.map((name) => [name, true]));
      expect(roles).toEqual(SEEDED_ROLES.map((role) => ({ ...role, enabled: true })).toSorted((a, b) => (a.name < b.name ? -1 : 1)));
    }
  });

  it('[ROLE-002] give the seeded Writer nothing to do with schemas', async () => {
    const { capabilities } = (await admin('GET', 'agent/roles/Writer')).body.data;
    expect(capabilities.length).toBeGreaterThan(0);
    expect(capabilities.filter((one: string) => one.startsWith('schema:') || one === '*')).toEqual([]);
  });

  it('narrow what the key of an agent may do, and are narrowed by it', async () => {
    const read = async (agentRole: string) => (await (await open({ agentRole })).call('getItem', { collection: 'products', id: 'none' })).data as Body;
    await admin('POST', 'agent/roles', { name: 'Reader', capabilities: ['items:read', 'memory:read'] });
    expect(await read('Reader')).toMatchObject({ status: 'failed' });
    const { call } = await open({ agentRole: 'Reader' });
    expect((await call('createItem', { collection: 'products', data: { sku: 'R', title: 'R' } })).data).toMatchObject({ status: 'denied', reason: 'capability_missing', facts: { missing: ['items:write'] } });
    expect(await read('Nobody')).toMatchObject({ status: 'denied', reason: 'capability_missing', facts: { missing: ['items:read'] } });
  });

  it('[ROLE-006] are listed, created, changed and disabled by admins', async () => {
    const made = await admin('POST', 'agent/roles', { name: 'Clerk', description: 'Files things.', capabilities: ['items:read', 'items:read'] });
    expect([made.status, made.body.data]).toEqual([201, { name: 'Clerk', description: 'Files things.', capabilities: ['items:read'], enabled: true }]);
    expect((await admin('POST', 'agent/roles', { name: 'Clerk', capabilities: [] })).status).toBe(409);
    expect((await admin('PUT', 'agent/roles/Clerk', { capabilities: ['items:write'] })).body.data).toMatchObject({ description: 'Files things.', capabilities: ['items:write'] });

    const { call } = await open({ agentRole: 'Clerk' });
    const create = async () => (await call('createItem', { collection: 'products', data: { sku: 'C', title: 'C' } })).data.status as string;
    expect(await create()).toBe('executed');
    expect((await admin('DELETE', 'agent/roles/Clerk')).body.data).toMatchObject({ name: 'Clerk', enabled: false });
    expect(await create()).toBe('denied');
    expect((await admin('PUT', 'agent/roles/Clerk', { description: 'Back' })).body).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect((await admin('PUT', 'agent/roles/Clerk', { enabled: true })).body.data).toMatchObject({ capabilities: ['items:write'], enabled: true });
    expect(await create()).toBe('executed');
    expect((await listed()).map(({ name }) => name)).toContain('Clerk');

    const before = await server().head();
    const others = [agent(), await server().newKey({ kind: 'human', capabilities: ['*'] }), await server().newKey({ kind: 'service', capabilities: ['roles:write'], roles: ['veto'] })];
    for (const by of others) {
      const refused = [
        await by('GET', 'agent/roles'), await by('GET', 'agent/roles/Clerk'), await by('POST', 'agent/roles', { name: 'Mine', capabilities: ['*'] }),
        await by('PUT', 'agent/roles/Clerk', { capabilities: ['*'] }), await by('DELETE', 'agent/roles/Clerk'),
      ];
      expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(5).fill([403, 'FORBIDDEN']));
    }
    expect((await server().log()).filter(({ position, stream_id }: Body) => BigInt(position) > before && stream_id === 'governance-site_demo')).toEqual([]);
  });

  it('[ROLE-007] belong to one site: a change on one is none on another, and needs no restart', async () => {
    const second = server().as((await admin('POST', 'sites', { name: 'Third' })).body.data.adminKey as string);
    const elsewhere = await listed(second);
    const { call } = await open({ agentRole: 'SEO' });
    expect((await call('getItem', { collection: 'products', id: 'none' })).data.status).toBe('failed');
    await admin('PUT', 'agent/roles/SEO', { capabilities: [] });
    expect((await call('getItem', { collection: 'products', id: 'none' })).data).toMatchObject({ status: 'denied', reason: 'capability_missing' });
    expect(await listed(second)).toEqual(elsewhere);
    const writers = await listed();
    await second('DELETE', 'agent/roles/Writer');
    expect(await listed()).toEqual(writers);
  });

  it.each([['no name', { capabilities: [] }], ['a path as name', { name: '../x', capabilities: [] }], ['a word as capability', { name: 'X', capabilities: ['everything'] }], ['an unknown key', { name: 'X', capabilities: [], power: 1 }]])(
    'are refused with %s', async (_name, body) => {
      const before = await server().head();
      expect((await admin('POST', 'agent/roles', body)).status).toBe(422);
      expect(await server().head()).toBe(before);
    },
  );

  it('unknown ones answer like anything that is not there', async () => {
    for (const [method, body] of [['GET', undefined], ['PUT', { capabilities: [] }], ['DELETE', undefined]] as const) {
      for (const name of ['Nobody', 'constructor', '__proto__']) expect((await admin(method, `agent/roles/${name}`, body)).status).toBe(403);
    }
  });
});
