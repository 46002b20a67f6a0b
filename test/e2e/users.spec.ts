import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Harness } from '../../libs/sdk/src';
import { testServer, type Answer, type Api, type Body, type TestServer } from './server';

const codeOf = ({ status, body }: Answer) => [status, body.code];
/** A busy machine is no part of what is shown here, and writes nothing into the log. */
const UNHURRIED = { HARNESS_BACKPRESSURE_EVENT_LOOP_MS: '600000', HARNESS_BACKPRESSURE_PROJECTION_LAG_MS: '600000', HARNESS_BACKPRESSURE_DATABASE_MS: '600000' };

describe('The people of a site', () => {
  let server: TestServer;
  let office: Api;
  let onlooker: Api;

  beforeAll(async () => {
    server = await testServer(UNHURRIED);
    office = await server.newKey({ name: 'Office', kind: 'human', capabilities: ['users:read', 'users:write', 'users:delete', 'items:read', 'items:update'] });
    onlooker = await server.newKey({ name: 'Onlooker', kind: 'human', capabilities: ['users:read'] });
  });
  afterAll(() => server.close());

  const invite = async (email: string, more: Body = {}, by = office) => by('POST', 'users', { email, name: email.split('@')[0], ...more });
  const listed = async (query = '', by = onlooker) => (await by('GET', `users?limit=200&minPosition=${await server.head()}${query}`)).body.data as Body[];
  /** A key of the person, which an admin gives them. */
  const keyOf = (userId: string, more: Body = {}) => server.newKey({ name: 'own', kind: 'human', userId, ...more });

  it('[AUTH-021] are listed, invited, changed and removed by those who hold users:read, users:write and users:delete', async () => {
    const made = await invite(' Ada@Example.com ', { name: 'Ada', capabilities: ['items:read'] });
    expect([made.status, made.body.data]).toEqual([201, {
      id: expect.stringMatching(/^usr_[0-9a-f]{32}$/), siteId: 'site_demo', email: 'ada@example.com', name: 'Ada', capabilities: ['items:read'], roles: [], status: 'invited', keys: 0,
      invitedAt: expect.any(String), updatedAt: expect.any(String),
    }]);
    const { id } = made.body.data;
    expect(codeOf(await invite('ADA@example.com'))).toEqual([409, 'CONFLICT']);
    expect((await onlooker('GET', `users/${id}`)).body.data).toEqual(made.body.data);
    expect(await listed()).toEqual([made.body.data]);

    const changed = await office('PATCH', `users/${id}`, { name: 'Ada L.', capabilities: ['items:read', 'items:update'] });
    expect([changed.status, changed.body.data]).toMatchObject([200, { name: 'Ada L.', capabilities: ['items:read', 'items:update'], email: 'ada@example.com' }]);
    await keyOf(id, { capabilities: ['items:read'] });
    expect((await onlooker('GET', `users/${id}`)).body.data).toMatchObject({ status: 'active', keys: 1 });
    expect((await listed('&status=active')).map((one) => one.id)).toEqual([id]);

    const before = await server.log();
    for (const [method, path, body] of [['POST', 'users', { email: 'x@example.com', name: 'x' }], ['PATCH', `users/${id}`, { name: 'x' }], ['DELETE', `users/${id}`, undefined]] as const)
      expect(codeOf(await onlooker(method, path, body))).toEqual([403, 'FORBIDDEN']);
    const nobody = await server.newKey({ capabilities: ['users:write', 'users:delete'] });
    for (const path of ['users', `users/${id}`]) expect(codeOf(await nobody('GET', path))).toEqual([403, 'FORBIDDEN']);
    expect((await server.log()).length).toBe(before.length + 2);

    expect((await office('DELETE', `users/${id}`)).body.data).toEqual({ id, removed: true });
    for (const [method, body] of [['GET', undefined], ['PATCH', { name: 'x' }], ['DELETE', undefined]] as const) expect(codeOf(await server.admin(method, `users/${id}`, body))).toEqual([410, 'GONE']);
    expect(await listed()).toMatchObject([{ id, status: 'removed', keys: 0 }]);
    expect([await listed('&status=active'), await listed('&status=invited')]).toEqual([[], []]);
    expect((await invite('ada@example.com')).body.data).toMatchObject({ id, status: 'invited', capabilities: [], keys: 0 });
    expect((await server.log()).filter(({ stream_id }: Body) => stream_id === `user-${id}`).map(({ type }: Body) => type)).toEqual(['UserInvited', 'UserChanged', 'UserKeyIssued', 'UserRemoved', 'UserInvited']);
  });

  it('get nothing that whoever invites or changes them lacks, and are out of reach of those who hold less', async () => {
    const before = await server.head();
    for (const more of [{ capabilities: ['items:delete'] }, { capabilities: ['*'] }, { roles: ['admin'] }, { roles: ['veto'] }]) expect(codeOf(await invite('eve@example.com', more))).toEqual([403, 'FORBIDDEN']);
    for (const wrong of [{ email: 'no address' }, { email: `${'x'.repeat(250)}@example.com` }, { name: '' }, { capabilities: ['everything'] }, { roles: ['owner'] }, { siteId: 'site_x' }])
      expect(codeOf(await invite('eve@example.com', wrong))).toEqual([422, 'VALIDATION_FAILED']);
    expect(await server.head()).toBe(before);
    const { id } = (await invite('boss@example.com', { capabilities: ['*'], roles: ['admin'] }, server.admin)).body.data;
    for (const [method, body] of [['PATCH', { name: 'x' }], ['PATCH', { roles: [] }], ['DELETE', undefined]] as const) expect(codeOf(await office(method, `users/${id as string}`, body))).toEqual([403, 'FORBIDDEN']);
    const own = (await invite('bob@example.com', { capabilities: ['items:read'] })).body.data.id as string;
    expect(codeOf(await office('PATCH', `users/${own}`, { roles: ['veto'] }))).toEqual([403, 'FORBIDDEN']);
    expect(codeOf(await office('PATCH', `users/${own}`, { email: 'other@example.com' }))).toEqual([422, 'VALIDATION_FAILED']);
    // No key of theirs does more than they may, not even one that an admin makes.
    for (const more of [{ capabilities: ['items:update'] }, { capabilities: ['*'] }, { roles: ['admin'] }])
      expect(codeOf(await server.admin('POST', 'api-keys', { name: 'more', kind: 'human', capabilities: [], userId: own, ...more }))).toEqual([403, 'FORBIDDEN']);
    const key = await keyOf(own, { capabilities: ['items:read'] });
    expect(codeOf(await server.admin('PUT', `api-keys/${key.id}`, { capabilities: ['items:read', 'items:update'] }))).toEqual([403, 'FORBIDDEN']);
  });

  it('are stopped at once: every key of a person who was removed, and every run under it', async () => {
    const { id } = (await invite('cleo@example.com', { capabilities: ['items:read', 'api-keys:create'] }, server.admin)).body.data;
    const first = await keyOf(id, { capabilities: ['items:read', 'api-keys:create'] });
    // A key that the person made for themselves is theirs as well.
    const second = await server.newKey({ name: 'second', kind: 'agent', capabilities: ['items:read'] }, first);
    const { runId } = (await second('POST', 'agent/goals', { title: 'Read', agentName: 'robot' })).body.data;
    const read = (by: Api) => by('POST', `agent/runs/${runId as string}/tool-calls`, { tool: 'getItem', arguments: { collection: 'products', id: 'none' } });
    expect((await read(second)).body.data.status).toBe('failed');
    expect((await onlooker('GET', `users/${id as string}`)).body.data).toMatchObject({ status: 'active', keys: 2 });
    expect((await server.admin('DELETE', `users/${id as string}`)).status).toBe(200);
    for (const key of [first, second]) expect(codeOf(await key('GET', 'agent/goals'))).toEqual([401, 'UNAUTHENTICATED']);
    expect((await read(server.admin)).body.data).toMatchObject({ status: 'denied', reason: 'capability_missing' });
    expect(codeOf(await server.admin('POST', 'api-keys', { name: 'late', kind: 'human', capabilities: [], userId: id }))).toEqual([410, 'GONE']);
    expect(codeOf(await server.admin('POST', `api-keys/${first.id}/rotate`))).toEqual([410, 'GONE']);
  });

  it('lose in their keys what they lose themselves, at once', async () => {
    const { id } = (await invite('dora@example.com', { capabilities: ['items:read', 'items:update'] })).body.data;
    const key = await keyOf(id, { capabilities: ['items:read', 'items:update'] });
    const { runId } = (await key('POST', 'agent/goals', { title: 'Work', agentName: 'robot' })).body.data;
    await office('PATCH', `users/${id as string}`, { capabilities: ['items:read'] });
    const call = async (tool: string, more: Body = {}) => (await key('POST', `agent/runs/${runId as string}/tool-calls`, { tool, arguments: { collection: 'products', id: 'none', ...more } })).body.data;
    expect(await call('updateItem', { data: { title: 'x' } })).toMatchObject({ status: 'denied', reason: 'capability_missing' });
    expect(await call('getItem')).toMatchObject({ status: 'failed' });
    // What they get back, their keys get only from somebody who gives it to the key.
    await office('PATCH', `users/${id as string}`, { capabilities: ['items:read', 'items:update'] });
    expect(await call('updateItem', { data: { title: 'y' } })).toMatchObject({ status: 'denied' });
    expect((await server.admin('DELETE', `api-keys/${key.id}`)).body.data).toEqual({ id: key.id, revoked: true });
    expect((await onlooker('GET', `users/${id as string}`)).body.data).toMatchObject({ keys: 0, status: 'active' });
  });

  it('are nobody on another site, and may be somebody there under the same address', async () => {
    const { adminKey } = (await server.admin('POST', 'sites', { name: 'Elsewhere' })).body.data;
    const there = server.as(adminKey as string);
    const own = (await invite('gina@example.com')).body.data;
    const foreign = (await invite('gina@example.com', {}, there)).body.data;
    expect(foreign.id).not.toBe(own.id);
    for (const [method, body] of [['GET', undefined], ['PATCH', { name: 'x' }], ['DELETE', undefined]] as const) {
      const answers = await Promise.all([foreign.id as string, `usr_${'0'.repeat(32)}`].map((id) => server.admin(method, `users/${id}`, body)));
      expect(answers.map(codeOf)).toEqual([[403, 'FORBIDDEN'], [403, 'FORBIDDEN']]);
    }
    expect(codeOf(await server.admin('POST', 'api-keys', { name: 'spy', kind: 'human', capabilities: [], userId: foreign.id }))).toEqual([403, 'FORBIDDEN']);
    expect((await there('GET', `users?minPosition=${await server.head()}`)).body.data.map(({ id }: Body) => id)).toEqual([foreign.id]);
    expect((await listed()).map(({ id }) => id)).not.toContain(foreign.id);
  });

  it('are looked after through the SDK', async () => {
    const { users } = new Harness({ url: server.url, key: office.key });
    const { data: hugo } = await users.invite({ email: 'hugo@example.com', name: 'Hugo' });
    expect((await users.change(hugo.id, { capabilities: ['items:read'] })).data).toMatchObject({ id: hugo.id, capabilities: ['items:read'] });
    expect(await users.get(hugo.id)).toMatchObject({ name: 'Hugo', status: 'invited' });
    const invited: string[] = [];
    for await (const { id } of users.each({ status: 'invited', limit: 1 })) invited.push(id);
    expect(invited).toContain(hugo.id);
    expect((await users.remove(hugo.id)).data).toEqual({ id: hugo.id, removed: true });
    await expect(users.get(hugo.id)).rejects.toMatchObject({ status: 410 });
  });

  it('are the same decisions when the log is read again', async () => {
    const verdict = (await server.admin('GET', 'agent/replay/verify')).text.split('\n\n').findLast((sent) => sent.includes('event: verdict'));
    expect(verdict).toContain('"ok":true');
  });
});
