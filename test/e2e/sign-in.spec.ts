import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport, UnauthorizedError, type OAuthClientProvider } from '@modelcontextprotocol/client';
import { exportSPKI, importJWK, SignJWT, type CryptoKey, type JWTPayload } from 'jose';
import { eventually } from './eventually';
import { loopbackIssuer, type Account, type LoopbackIssuer } from './oidc-issuer';
import { testServer, type Answer, type Body, type TestServer } from './server';

const codeOf = ({ status, body }: Answer) => [status, body.code];

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
};

/** What an application on somebody's desk keeps while its user signs in. */
class Desktop implements OAuthClientProvider {
  readonly redirectUrl = 'http://127.0.0.1:1/callback';
  readonly clientMetadata = { client_name: 'desktop', redirect_uris: [this.redirectUrl], token_endpoint_auth_method: 'none' };
  sentTo: URL | undefined;
  private readonly kept: Body = {};
  clientInformation = () => this.kept.client as Body;
  saveClientInformation = (client: Body) => void (this.kept.client = client);
  tokens = () => this.kept.tokens as Body;
  saveTokens = (tokens: Body) => void (this.kept.tokens = tokens);
  saveCodeVerifier = (verifier: string) => void (this.kept.verifier = verifier);
  codeVerifier = () => this.kept.verifier as string;
  discoveryState = () => this.kept.discovery as Body;
  saveDiscoveryState = (state: Body) => void (this.kept.discovery = state);
  redirectToAuthorization = (url: URL) => void (this.sentTo = url);
}

describe('People who sign in with an OIDC issuer', () => {
  let server: TestServer;
  let issuer: LoopbackIssuer;
  let second: LoopbackIssuer;
  let url: string;
  /** Nobody listens there. */
  let nowhere: string;

  beforeAll(async () => {
    [issuer, second] = [await loopbackIssuer(), await loopbackIssuer()];
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    nowhere = `http://127.0.0.1:${await freePort()}`;
    server = await testServer({ PORT: String(port), HARNESS_PUBLIC_URL: url, HARNESS_OIDC_ISSUER: `${issuer.url}, ${second.url},${nowhere}` });
    await server.admin('PUT', 'settings', { contentOs: { mcp: true } });
  });
  afterAll(async () => {
    await server.close();
    await Promise.all([issuer.close(), second.close()]);
  });

  const invite = async (name: string, more: Body = {}, by = server.admin): Promise<Body> => (await by('POST', 'users', { email: `${name}@example.com`, name, capabilities: ['items:read'], ...more })).body.data;
  const account = (name: string, more: Partial<Account> = {}): Account => ({ sub: `sub-${name}`, email: `${name}@example.com`, email_verified: true, ...more });
  const as = async (claims: Account & JWTPayload, options?: Parameters<LoopbackIssuer['token']>[1], by = issuer) => server.as(await by.token({ aud: url, ...claims }, options));
  const ITEMS = 'items/products';
  const open = async (claims: Account & JWTPayload, headers: Record<string, string> = { 'x-site-id': 'site_demo' }) => (await as(claims))('GET', ITEMS, undefined, headers);

  it('[MCP-016] are sent to the issuer by the metadata of the MCP endpoint, which the official client follows by itself', async () => {
    const ada = await invite('ada');
    const shown = { authorization_servers: [issuer.url, second.url, nowhere], bearer_methods_supported: ['header'], scopes_supported: ['openid', 'email'] };
    for (const path of ['', '/api/v1/mcp']) {
      const answer = await fetch(`${url}/.well-known/oauth-protected-resource${path}`);
      expect([answer.status, answer.headers.get('content-type'), await answer.json()]).toMatchObject([200, 'application/json; charset=utf-8', { resource: `${url}${path}`, ...shown }]);
    }
    const anonymous = (path: string, headers = {}) => fetch(`${url}/api/v1/${path}`, { headers });
    expect((await anonymous('mcp')).headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${url}/.well-known/oauth-protected-resource/api/v1/mcp"`);
    expect((await anonymous('mcp', { authorization: 'Bearer x' })).headers.get('www-authenticate')).toBe(`Bearer error="invalid_token", resource_metadata="${url}/.well-known/oauth-protected-resource/api/v1/mcp"`);
    expect((await anonymous(ITEMS)).headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${url}/.well-known/oauth-protected-resource"`);

    const desktop = new Desktop();
    const transport = () => new StreamableHTTPClientTransport(new URL(`${url}/api/v1/mcp`), { authProvider: desktop as OAuthClientProvider });
    const first = transport();
    await expect(new Client({ name: 'e2e', version: '1' }).connect(first)).rejects.toThrow(UnauthorizedError);
    const sentTo = desktop.sentTo!;
    expect([sentTo.origin, sentTo.searchParams.get('resource'), sentTo.searchParams.get('scope')]).toEqual([issuer.url, `${url}/api/v1/mcp`, 'openid email']);
    issuer.signIn(account('ada'));
    const back = new URL((await fetch(sentTo, { redirect: 'manual' })).headers.get('location')!);
    await first.finishAuth(back.searchParams.get('code')!);
    const client = new Client({ name: 'e2e', version: '1' });
    await client.connect(transport());
    expect((await client.callTool({ name: 'listItems', arguments: { collection: 'products' } })).structuredContent).toMatchObject({ status: 'executed' });
    await client.close();
    const call = (await server.log()).find(({ type, metadata }: Body) => type === 'ToolCallAuthorised' && metadata.actor.userId === ada.id);
    expect(call.metadata.actor).toEqual({ kind: 'human', id: expect.stringMatching(/^key_/), userId: ada.id });
  });

  it('[AUTH-017] are who they are on record, with what they may do there and nothing that a token claims', async () => {
    const bob = await invite('bob', { capabilities: ['items:read', 'items:update'] });
    const item = (await server.admin('POST', ITEMS, { data: { sku: 'S-1', title: 'one' } })).body.data.id as string;
    const token = await as({ ...account('bob', { email: 'BOB@Example.com' }), roles: ['admin'], capabilities: ['*'], site: 'site_other', scope: 'items:delete' });
    // Their first requests come at once, and link them once.
    expect((await Promise.all(Array.from({ length: 8 }, () => token('GET', ITEMS)))).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect((await server.log()).filter(({ type, data }: Body) => type === 'IdentityLinked' && data.subject === 'sub-bob')).toHaveLength(1);
    expect((await token('PATCH', `${ITEMS}/${item}`, { data: { title: 'two' } })).status).toBe(200);
    expect(codeOf(await token('DELETE', `${ITEMS}/${item}`))).toEqual([403, 'FORBIDDEN']);
    expect((await server.admin('GET', `users/${bob.id as string}`)).body.data).toMatchObject({ status: 'active', keys: 0, identity: { issuer: issuer.url, subject: 'sub-bob' } });
    // They are no key, and nobody makes one of them.
    const keys = (await server.admin('GET', `api-keys?limit=200&minPosition=${await server.head()}`)).body.data as Body[];
    expect(keys.filter(({ userId }) => userId === bob.id)).toEqual([]);
    const { principalId } = (await server.log()).find(({ type, data }: Body) => type === 'UserIdentityLinked' && data.subject === 'sub-bob').data;
    expect(codeOf(await server.admin('POST', `api-keys/${principalId as string}/rotate`))).toEqual([403, 'FORBIDDEN']);
    // What they may do changes with their record, in both directions, and at once.
    await server.admin('PATCH', `users/${bob.id as string}`, { capabilities: ['items:read', 'items:delete'] });
    expect(codeOf(await token('PATCH', `${ITEMS}/${item}`, { data: { title: 'three' } }))).toEqual([403, 'FORBIDDEN']);
    expect((await token('DELETE', `${ITEMS}/${item}`)).status).toBe(200);
    expect((await server.admin('DELETE', `users/${bob.id as string}`)).status).toBe(200);
    expect(codeOf(await token('GET', ITEMS))).toEqual([403, 'FORBIDDEN']);
    expect(codeOf(await token('GET', ITEMS, undefined, { 'x-site-id': 'site_demo' }))).toEqual([403, 'CROSS_SITE']);
    // Whoever is invited again starts anew, and may be somebody else who has the address by then.
    await invite('bob');
    expect((await open(account('bob', { sub: 'sub-other-bob' }))).status).toBe(200);
    expect(codeOf(await open(account('bob')))).toEqual([403, 'FORBIDDEN']);
  });

  it('[AUTH-017] are let in by tokens of a configured issuer for this server alone', async () => {
    await invite('eve');
    const good = account('eve');
    expect((await open(good)).status).toBe(200);
    const now = Math.floor(Date.now() / 1000);
    const [head, claims, signature] = (await issuer.token({ aud: url, ...good })).split('.') as [string, string, string];
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { kid } = issuer.key();
    const body = { iss: issuer.url, aud: url, exp: now + 300, ...good };
    const pem = await exportSPKI((await importJWK(issuer.publicJwk(), 'ES256')) as CryptoKey);
    const hmac = (secret: string) => new SignJWT(body).setProtectedHeader({ alg: 'HS256', kid }).sign(new TextEncoder().encode(secret));
    const strange = await issuer.strange();
    const wrong: readonly (readonly [string, string | Promise<string>])[] = [
      ['alg none', `${part({ alg: 'none', kid })}.${claims}.`],
      ['alg none with a signature', `${part({ alg: 'none', kid })}.${claims}.${signature}`],
      ['HS256 with the public key', hmac(pem)],
      ['HS256 with the key set', hmac(JSON.stringify(issuer.publicJwk()))],
      ['another audience', issuer.token({ ...good, aud: 'https://elsewhere.example' })],
      ['no audience', issuer.token({ ...good })],
      ['another issuer', issuer.token({ ...body, iss: 'https://accounts.example' })],
      ['the other issuer by name', issuer.token({ ...body, iss: second.url })],
      ['expired', issuer.token({ ...body, exp: now - 60 })],
      ['not yet valid', issuer.token({ ...body, nbf: now + 120 })],
      ['no end', new SignJWT({ iss: issuer.url, aud: url, ...good }).setProtectedHeader({ alg: 'ES256', kid }).sign(issuer.key().privateKey)],
      ['no subject', issuer.token({ aud: url, email: good.email, email_verified: true })],
      ['an unknown kid', issuer.token(body, { key: strange })],
      ['a known kid with another key', issuer.token(body, { key: { ...strange, kid } })],
      ['a key of its own', issuer.token(body, { key: strange, header: { jwk: strange.publicJwk, jku: 'http://127.0.0.1:1/jwks' } })],
      ['a changed claim', `${head}.${part({ ...body, sub: 'sub-ada' })}.${signature}`],
      ['a logout token', issuer.token(body, { header: { typ: 'logout+jwt' } })],
      ['no token at all', 'a.b.c'],
    ];
    const before = await server.head();
    for (const [name, token] of wrong) expect([name, ...codeOf(await server.as(await token)('GET', ITEMS))]).toEqual([name, 401, 'UNAUTHENTICATED']);
    expect((await (await as({ ...body, exp: now - 60 }))('GET', ITEMS)).body.detail).toContain('expired');
    expect(await server.head()).toBe(before);
  });

  it('are nobody without an invitation, without a verified address, or under an address that has become somebody else’s', async () => {
    const unknown = await (await as(account('stranger')))('GET', ITEMS);
    expect([...codeOf(unknown), unknown.body.facts]).toEqual([403, 'FORBIDDEN', { reason: 'not_invited' }]);
    await invite('carl');
    for (const isVerified of [false, undefined, 'true', 1]) {
      const answer = await (await as(account('carl', { email_verified: isVerified })))('GET', ITEMS);
      expect([...codeOf(answer), answer.body.facts]).toEqual([403, 'FORBIDDEN', { reason: 'email_not_verified' }]);
    }
    expect((await open(account('carl'))).status).toBe(200);
    // From now on the account counts, and no address.
    expect((await open({ sub: 'sub-carl' })).status).toBe(200);
    expect((await open(account('carl', { email: 'ada@example.com' }))).status).toBe(200);
    const heir = account('carl', { sub: 'sub-heir' });
    const refused = await open(heir);
    expect([...codeOf(refused), refused.body.facts]).toEqual([403, 'FORBIDDEN', { reason: 'identity_bound' }]);
    const elsewhere = await (await as(account('carl'), undefined, second))('GET', ITEMS, undefined, { 'x-site-id': 'site_demo' });
    expect([...codeOf(elsewhere), elsewhere.body.facts]).toEqual([403, 'FORBIDDEN', { reason: 'identity_bound' }]);
  });

  it('choose among their sites by X-Site-Id, and reach no other', async () => {
    const { siteId: there, adminKey } = (await server.admin('POST', 'sites', { name: 'Elsewhere' })).body.data as { siteId: string; adminKey: string };
    const [here, abroad] = [await invite('dora'), await invite('dora', { capabilities: ['users:read'] }, server.as(adminKey))];
    const dora = await as(account('dora'));
    const undecided = await dora('GET', ITEMS);
    expect([...codeOf(undecided), (undecided.body.facts.sites as string[]).toSorted()]).toEqual([403, 'CROSS_SITE', ['site_demo', there].toSorted()]);
    expect((await dora('GET', ITEMS, undefined, { 'x-site-id': 'site_demo' })).status).toBe(200);
    expect((await dora('GET', `users/${abroad.id as string}`, undefined, { 'x-site-id': there })).body.data).toMatchObject({ id: abroad.id, status: 'active' });
    expect(codeOf(await dora('GET', `users/${here.id as string}`, undefined, { 'x-site-id': 'site_demo' }))).toEqual([403, 'FORBIDDEN']);
    const eve = await as(account('eve'));
    const foreign = await Promise.all([there, 'site_never_made'].map((siteId) => eve('GET', ITEMS, undefined, { 'x-site-id': siteId })));
    expect(foreign.map(codeOf)).toEqual([[403, 'CROSS_SITE'], [403, 'CROSS_SITE']]);
    expect(foreign[0]!.text).toBe(foreign[1]!.text);
    expect((await eve('GET', ITEMS)).status).toBe(200);
  });

  it('stay signed in while the keys of the issuer change, and while it is away', async () => {
    await invite('fred');
    await open(account('fred'));
    await issuer.rotate('RS256');
    const rotated = await as(account('fred'));
    expect((await eventually(() => rotated('GET', ITEMS), ({ status }) => status === 200)).status).toBe(200);
    issuer.goAway();
    expect((await rotated('GET', ITEMS)).status).toBe(200);
    const unchecked = await (await as({ ...account('fred'), iss: nowhere }))('GET', ITEMS);
    expect([...codeOf(unchecked), unchecked.headers.get('retry-after'), unchecked.body.detail]).toEqual([503, 'UNAVAILABLE', '5', expect.stringContaining('cannot be reached')]);
    expect((await server.admin('GET', ITEMS)).status).toBe(200);
  });
});
