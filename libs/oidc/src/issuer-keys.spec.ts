import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { IssuerKeys } from './issuer-keys';

const MINUTE = 60_000;
const DAY = 86_400_000;

describe('The keys of an issuer', () => {
  let server: Server;
  let url: string;
  let known: JWK[];
  let answers: Record<string, () => { readonly status?: number; readonly body: string; readonly location?: string }>;
  let asked: string[];
  let now: number;
  let warnings: string[];

  const key = async (kid: string): Promise<JWK> => ({ ...(await exportJWK((await generateKeyPair('ES256')).publicKey)), kid, alg: 'ES256' });
  const keys = () => new IssuerKeys(url, (sentence) => void warnings.push(sentence), () => now);
  const find = (from: IssuerKeys, kid: string) => from.find({ alg: 'ES256', kid }, {} as never);
  const settled = (from: IssuerKeys, kid: string) => Promise.resolve(find(from, kid)).then(() => 'found', (error: Error) => error.name);

  beforeAll(async () => {
    server = createServer(({ url: path = '' }, response) => {
      asked.push(path);
      const { status = 200, body, location } = answers[path]?.() ?? { status: 404, body: '{}' };
      response.writeHead(status, { 'content-type': 'application/json', ...(location !== undefined && { location }) }).end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  beforeEach(async () => {
    [known, asked, now, warnings] = [[await key('one')], [], 1_000_000, []];
    answers = {
      '/.well-known/openid-configuration': () => ({ body: JSON.stringify({ issuer: url, jwks_uri: `${url}/jwks` }) }),
      '/jwks': () => ({ body: JSON.stringify({ keys: known }) }),
    };
  });
  afterEach(() => expect(warnings.join()).not.toContain('[object'));

  it('are fetched once, whoever asks how often', async () => {
    const from = keys();
    await Promise.all(Array.from({ length: 20 }, () => find(from, 'one')));
    await find(from, 'one');
    expect(asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
    // An unknown one is looked for, but not while the key set is seconds old.
    for (let nr = 0; nr < 20; nr++) expect(await settled(from, `guess-${nr}`)).toBe('JWKSNoMatchingKey');
    expect(asked).toHaveLength(2);
  });

  it('are refreshed behind the scenes, and kept for a day when the issuer is away', async () => {
    const from = keys();
    await find(from, 'one');
    now += 10 * MINUTE;
    answers['/jwks'] = () => ({ status: 500, body: '' });
    expect(await settled(from, 'one')).toBe('found');
    while (warnings.length === 0) await new Promise((turn) => setImmediate(turn));
    expect(warnings).toEqual([expect.stringContaining('status 500')]);
    now += 10 * MINUTE;
    expect(await settled(from, 'one')).toBe('found');
    while (warnings.length === 1) await new Promise((turn) => setImmediate(turn));
    now += DAY;
    expect(await settled(from, 'one')).toBe('IssuerUnavailable');
    // It is left alone for a moment, and asked again.
    const before = asked.length;
    expect([await settled(from, 'one'), asked.length]).toEqual(['IssuerUnavailable', before]);
    now += 5_000;
    answers['/jwks'] = () => ({ body: JSON.stringify({ keys: known }) });
    expect(await settled(from, 'one')).toBe('found');
  });

  it('that were withdrawn end with the refresh', async () => {
    const from = keys();
    await find(from, 'one');
    known = [await key('two')];
    now += 10 * MINUTE;
    await settled(from, 'one');
    while ((await settled(from, 'two')) !== 'found') await new Promise((turn) => setImmediate(turn));
    expect(await settled(from, 'one')).toBe('JWKSNoMatchingKey');
  });

  const large = `{"keys":[],"x":"${'x'.repeat(300_000)}"}`;
  it.each([
    ['another name', '/.well-known/openid-configuration', () => ({ body: '{"issuer":"https://evil.example","jwks_uri":"https://evil.example/jwks"}' }), 'must be exactly that'],
    ['keys over plain HTTP from elsewhere', '/.well-known/openid-configuration', () => ({ body: JSON.stringify({ issuer: url, jwks_uri: 'http://evil.example/jwks' }) }), 'not https'],
    ['no keys', '/.well-known/openid-configuration', () => ({ body: JSON.stringify({ issuer: url }) }), 'no jwks_uri'],
    ['a redirection', '/jwks', () => ({ status: 302, body: '', location: 'http://127.0.0.1:1/jwks' }), 'status 302'],
    ['no JSON', '/jwks', () => ({ body: '<html>' }), 'jwks'],
    ['no key set', '/jwks', () => ({ body: '{"keys":"none"}' }), 'key set'],
    ['more than fits', '/jwks', () => ({ body: large }), 'more than 262144 bytes'],
  ])('are none when it answers with %s', async (_name, path, wrong, warning) => {
    answers[path] = wrong;
    expect(await settled(keys(), 'one')).toBe('IssuerUnavailable');
    expect(warnings).toEqual([expect.stringContaining(warning)]);
  });
});
