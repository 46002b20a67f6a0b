import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { readConfig } from '../../apps/gateway/src/config';
import { startServer, type Server } from '../../apps/gateway/src/server';
import { eventually } from './eventually';
import { ADMIN_KEY, apiAt, testServer, type Answer, type Api, type Body, type TestServer } from './server';
import { tablesHolding } from './tables';

const codeOf = ({ status, body }: Answer) => [status, body.code];
const secretHash = (secret: string) => createHash('sha256').update(secret).digest('hex');

describe('Who may come in', () => {
  let server: TestServer;
  let other: Server;
  let there: (key: string) => Api;

  beforeAll(async () => {
    server = await testServer();
    other = await startServer(readConfig({ DATABASE_URL: server.databaseUrl, PORT: '0', HARNESS_DATA_DIR: server.dataDir, HARNESS_ROLES: 'gateway' }));
    there = apiAt(other.url!);
  });
  afterAll(async () => {
    await other.stop();
    await server.close();
  });

  const issue = (body: Record<string, unknown>, issuer = server.admin, headers: Record<string, string> = {}) =>
    issuer('POST', 'api-keys', { name: 'test', kind: 'service', capabilities: [], ...body }, headers);
  const listed = async (id: string) =>
    ((await server.admin('GET', `api-keys?limit=200&minPosition=${await server.head()}`)).body.data as Body[]).find((key) => key.id === id);
  const opens = async (key: string, at = server.as) => (await at(key)('GET', 'agent/goals?limit=1')).status;
  const lastEvent = async () => (await server.log()).at(-1);

  it('[AUTH-001] lets a platform admin create a site, and nobody else', async () => {
    const made = await server.admin('POST', 'sites', { name: 'Second' });
    expect([made.status, made.body.data]).toEqual([201, { siteId: expect.stringMatching(/^site_[0-9a-f]{32}$/), adminKey: expect.stringMatching(/^hk_/) }]);
    const adminOfSecond = server.as(made.body.data.adminKey as string);
    expect((await adminOfSecond('POST', 'collections', { name: 'notes', fields: [] })).body.data).toMatchObject({ name: 'notes' });
    expect(await lastEvent()).toMatchObject({ type: 'CollectionCreated', site_id: made.body.data.siteId });

    const before = await server.head();
    const others = [adminOfSecond];
    for (const kind of ['human', 'agent', 'service']) others.push(server.as((await issue({ kind, capabilities: ['*'], roles: ['admin', 'veto'] })).body.data.key as string));
    const grown = await server.head();
    for (const one of others) expect(codeOf(await one('POST', 'sites', { name: 'Third' }))).toEqual([403, 'FORBIDDEN']);
    expect([await server.head(), grown > before]).toEqual([grown, true]);
  });

  it.each(['human', 'agent', 'service'])('[AUTH-002] issues a key for a principal of kind %s', async (kind) => {
    const expiresAt = '2999-01-31T10:00:00+02:00';
    const body = { name: 'All', kind, capabilities: ['items:read', 'items:write'], agentRole: 'Writer', roles: ['admin', 'veto'], expiresAt };
    const answer = await issue(body);
    expect([answer.status, answer.body.data]).toEqual([201, { id: expect.stringMatching(/^key_[0-9a-f]{32}$/), key: expect.any(String) }]);
    expect(await opens(answer.body.data.key as string)).toBe(200);
    expect(await listed(answer.body.data.id as string)).toMatchObject({ ...body, id: answer.body.data.id, siteId: 'site_demo', expiresAt: '2999-01-31T08:00:00.000Z', revokedAt: null });
    const least = await issue({ kind });
    expect(await listed(least.body.data.id as string)).toMatchObject({ kind, capabilities: [], roles: [], agentRole: null, expiresAt: null });
  });

  it.each([
    ['no name', { name: '' }], ['an unknown kind', { kind: 'robot' }], ['a word as capability', { capabilities: ['everything'] }], ['an unknown role', { roles: ['owner'] }],
    ['an expiry that is over', { expiresAt: '2020-01-01T00:00:00Z' }], ['an expiry without a zone', { expiresAt: '2999-01-01T00:00:00' }], ['a site', { siteId: 'site_x' }],
    ['the mark of a platform admin', { platformAdmin: true }],
  ])('issues no key with %s', async (_name, wrong) => {
    const before = await server.head();
    expect(codeOf(await issue(wrong))).toEqual([422, 'VALIDATION_FAILED']);
    expect(await server.head()).toBe(before);
  });

  it('[AUTH-003] shows a secret once and keeps its hash only, whatever is repeated', async () => {
    const once = (name: string) => ({ 'idempotency-key': `${name} ${randomUUID()}` });
    const [issuing, rotating, founding] = [once('issue'), once('rotate'), once('found')];
    const first = await issue({ name: 'secretive' }, server.admin, issuing);
    const id = first.body.data.id as string;
    const turned = await server.admin('POST', `api-keys/${id}/rotate`, {}, rotating);
    const founded = await server.admin('POST', 'sites', { name: 'Quiet' }, founding);
    const secrets = [first.body.data.key, turned.body.data.key, founded.body.data.adminKey] as string[];
    expect(secrets.map((secret) => secret.slice(0, 3))).toEqual(['hk_', 'hk_', 'hk_']);
    expect(await opens(secrets[1]!)).toBe(200);

    const repeats = [
      await issue({ name: 'secretive' }, server.admin, issuing), await server.admin('POST', `api-keys/${id}/rotate`, {}, rotating),
      await server.admin('POST', 'sites', { name: 'Quiet' }, founding),
    ];
    expect(repeats.map(({ status, body, headers }) => [status, 'key' in body.data ? body.data.key : body.data.adminKey, body.data.notice, headers.get('idempotent-replayed')])).toEqual([
      [201, null, expect.stringContaining('key'), 'true'], [200, null, expect.stringContaining('key'), 'true'], [201, null, expect.stringContaining('adminKey'), 'true'],
    ]);
    expect(repeats.map(({ body }) => body.position)).toEqual([first, turned, founded].map(({ body }) => body.position));

    const at = { 'x-min-position': String(await server.head()) };
    const shown = [await server.admin('GET', 'api-keys?limit=200', undefined, at), await server.admin('GET', 'audit/events?limit=200', undefined, at)].map(({ text }) => text).join();
    for (const secret of [...secrets, ADMIN_KEY]) {
      expect(shown).not.toContain(secret);
      expect(await tablesHolding(server.pool, secret)).toEqual([]);
      expect(await tablesHolding(server.pool, secretHash(secret))).toContain('es_event');
    }
  });

  it('shows no secret to a repetition whose first answer was lost, because only a hash is left', async () => {
    const header = { 'idempotency-key': randomUUID() };
    const { id, key } = (await issue({ name: 'lost' }, server.admin, header)).body.data;
    // As after a crash between the effect and its record: the key is claimed, the lease is over, nothing is answered.
    await server.pool.query(`UPDATE http_idempotency SET status = NULL, headers = NULL, body = NULL, lease_until = clock_timestamp() WHERE body LIKE $1`, [`%${id}%`]);
    const repeated = await issue({ name: 'lost' }, server.admin, header);
    expect([repeated.status, repeated.body.data]).toEqual([201, { id, key: null, notice: expect.any(String) }]);
    expect(await opens(key as string)).toBe(200);
  });

  it('[AUTH-004] refuses a key once it has expired', async () => {
    const { key } = (await issue({ expiresAt: new Date(Date.now() + 2_000).toISOString() })).body.data;
    const answer = await eventually(() => server.as(key as string)('GET', 'agent/goals'), ({ status }) => status !== 200);
    expect(codeOf(answer)).toEqual([401, 'UNAUTHENTICATED']);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  it('[AUTH-005] refuses a revoked key on the next request in every process', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, key } = (await issue({})).body.data;
      // Both processes know the key well before it is revoked.
      for (let n = 0; n < 3; n++) expect([await opens(key as string), await opens(key as string, there)]).toEqual([200, 200]);
      const revoking = round % 2 === 0 ? server.admin : there(ADMIN_KEY);
      expect((await revoking('DELETE', `api-keys/${id}`)).body.data).toEqual({ id, revoked: true });
      expect(await Promise.all([opens(key as string, there), opens(key as string)])).toEqual([401, 401]);
    }
  });

  it('[AUTH-006] rotates a key: a new secret works everywhere, the old one nowhere', async () => {
    const { id, key: old } = (await issue({})).body.data;
    expect(await opens(old as string, there)).toBe(200);
    const rotated = await server.admin('POST', `api-keys/${id}/rotate`);
    expect(rotated.body.data).toEqual({ id, key: expect.stringMatching(/^hk_/) });
    const fresh = rotated.body.data.key as string;
    expect(await lastEvent()).toMatchObject({ type: 'ApiKeyRotated', stream_id: `principal-${id}`, data: { keyId: id, secretHash: secretHash(fresh) } });
    expect([fresh === old, await opens(old as string), await opens(old as string, there), await opens(fresh), await opens(fresh, there)]).toEqual([false, 401, 401, 200, 200]);
    await server.admin('DELETE', `api-keys/${id}`);
    expect(codeOf(await server.admin('POST', `api-keys/${id}/rotate`))).toEqual([410, 'GONE']);
  });

  it('[AUTH-007] lists when a key was last used, and never its secret', async () => {
    const { id, key } = (await issue({ name: 'watched' })).body.data;
    expect(await listed(id as string)).toMatchObject({ lastUsedAt: null });
    const before = Date.now();
    await opens(key as string);
    const after = Date.now();
    const { lastUsedAt, ...rest } = await eventually(() => listed(id as string), (row) => row.lastUsedAt !== null);
    expect(Date.parse(lastUsedAt as string)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(lastUsedAt as string)).toBeLessThanOrEqual(after);
    expect(Object.keys(rest as object).toSorted()).toEqual(['agentRole', 'capabilities', 'createdAt', 'expiresAt', 'id', 'kind', 'name', 'revokedAt', 'roles', 'siteId', 'userId']);
    expect(JSON.stringify(rest)).not.toContain(secretHash(key as string));
  });

  it('[AUTH-009] gives nobody a key, old or new, or a grant with a capability or role that they do not hold themselves', async () => {
    const clerk = await server.newKey({ kind: 'human', capabilities: ['api-keys:create', 'api-keys:write', 'items:read'] });
    const vetoer = await server.newKey({ kind: 'human', capabilities: ['api-keys:create'], roles: ['veto'] });
    const stronger = (await issue({ capabilities: ['items:read', 'items:delete'] })).body.data.id as string;
    const admin = (await issue({ roles: ['admin'] })).body.data.id as string;
    const before = await server.head();
    const beyond = async (answer: Promise<Answer>) => {
      const { status, body } = await answer;
      return [status, body.code, body.facts?.beyond];
    };
    expect(await beyond(issue({ capabilities: ['items:read', 'items:delete'] }, clerk))).toEqual([403, 'FORBIDDEN', ['items:delete']]);
    for (const role of ['admin', 'veto']) expect(await beyond(issue({ roles: [role] }, clerk))).toEqual([403, 'FORBIDDEN', [role]]);
    expect(await beyond(issue({ roles: ['veto', 'admin'] }, vetoer))).toEqual([403, 'FORBIDDEN', ['admin']]);
    expect(await beyond(clerk('POST', `api-keys/${stronger}/rotate`))).toEqual([403, 'FORBIDDEN', ['items:delete']]);
    expect(await beyond(clerk('POST', `api-keys/${admin}/rotate`))).toEqual([403, 'FORBIDDEN', ['admin']]);
    expect(codeOf(await issue({}, server.as((await issue({ capabilities: ['items:read'] })).body.data.key as string)))).toEqual([403, 'FORBIDDEN']);
    expect(await server.head()).toBe(before + 2n);
    const granter = await server.newKey({ kind: 'human', capabilities: ['autonomy:write', 'items:read'] });
    const grant = (capability: string) => granter('PUT', 'agent/autonomy/grants', { agentRole: 'Writer', capability, level: 3 });
    expect(await beyond(grant('items:delete'))).toEqual([403, 'FORBIDDEN', ['items:delete']]);
    expect((await grant('items:read')).status).toBe(200);
    expect((await issue({ capabilities: ['items:read'] }, clerk)).status).toBe(201);
    expect((await issue({ roles: ['veto'] }, vetoer)).status).toBe(201);
  });

  it('[AUTH-010] lets only an admin issue the capability *', async () => {
    const issuers = { everything: { capabilities: ['*'] }, veto: { capabilities: ['*'], roles: ['veto'] }, admin: { capabilities: [], roles: ['admin'] } };
    const outcome = async (rights: Record<string, unknown>) => {
      const statuses = [];
      for (const kind of ['human', 'agent', 'service']) statuses.push((await issue({ capabilities: ['*'] }, await server.newKey({ kind, ...rights }))).status);
      return statuses;
    };
    expect(await outcome(issuers.everything)).toEqual([403, 403, 403]);
    expect(await outcome(issuers.veto)).toEqual([403, 403, 403]);
    expect(await outcome(issuers.admin)).toEqual([201, 201, 201]);
  });

  it('[AUTH-011] names the kind of the principal as the actor of its events', async () => {
    expect(codeOf(await issue({ kind: 'robot' }))).toEqual([422, 'VALIDATION_FAILED']);
    for (const kind of ['human', 'agent', 'service']) {
      const one = await server.newKey({ kind, agentRole: 'Writer' });
      await one('POST', 'agent/goals', { title: 'Who am I', agentName: 'someone else' });
      const { metadata } = await lastEvent();
      expect(metadata.actor).toEqual({ kind, id: one.id, role: 'Writer' });
    }
  });
});
