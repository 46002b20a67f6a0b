import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { text } from 'node:stream/consumers';
import { CHROMIUM, ensureProgram } from '../debian-program';
import { compiled } from './compiled';
import { testServer, type Api, type Body, type TestServer } from './server';

const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--disable-background-networking', '--no-first-run'];

describe('A page of another origin', () => {
  /** By path: a page, and who waits for what it finds out. */
  const pages = new Map<string, { readonly page: string; readonly found: (text: string) => void }>();
  let files: Server;
  let port: number;
  let server: TestServer;
  let agent: Api;
  beforeAll(async () => {
    await ensureProgram(CHROMIUM);
    const folder = await compiled();
    files = createServer(async (request, response) => {
      const path = request.url!.split('?')[0]!;
      const asked = pages.get(path);
      if (asked && request.method === 'POST') asked.found(await text(request));
      if (asked) return response.setHeader('content-type', 'text/html').end(asked.page);
      const module = await readFile(join(folder, normalize(path))).catch(() => undefined);
      response.writeHead(module ? 200 : 404, { 'content-type': 'text/javascript' }).end(module);
    });
    await new Promise<void>((listening) => files.listen(0, '127.0.0.1', listening));
    ({ port } = files.address() as AddressInfo);
    // The same files at two names of this machine: two origins, of which one may.
    server = await testServer({ HARNESS_CORS_ORIGINS: `https://desk.example.org,http://localhost:${port}`, HARNESS_OIDC_ISSUER: 'https://id.example.org' });
    agent = await server.newKey({ name: 'robot', capabilities: ['items:read', 'items:write'] });
  });
  afterAll(async () => {
    files.close();
    await server.close();
  });

  /** What a script finds out there: its value, or the name of what it failed with. */
  const findOut = async (host: string, script: string): Promise<Body> => {
    const path = `/${pages.size}.html`;
    const page = `<!doctype html><script type="module">
      import { Harness } from '/libs/sdk/src/index.js';
      const url = ${JSON.stringify(server.url)};
      const harness = new Harness({ url, key: ${JSON.stringify(agent.key)}, retry: { attempts: 1 } });
      const found = await (async () => { ${script} })().catch((error) => ({ failed: error.code ?? error.name }));
      await fetch(location.href, { method: 'POST', body: JSON.stringify(found) });
    </script>`;
    const profile = await mkdtemp(join(tmpdir(), 'harness-chromium-'));
    const found = new Promise<string>((told) => pages.set(path, { page, found: told }));
    const browser = spawn('chromium', [...FLAGS, `--user-data-dir=${profile}`, `http://${host}:${port}${path}`], { stdio: 'ignore' });
    const ended = once(browser, 'exit');
    try {
      return JSON.parse(await Promise.race([found, ended.then(() => Promise.reject(new Error('The browser ended before the page had found out anything')))])) as Body;
    } finally {
      browser.kill('SIGKILL');
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    }
  };

  const WORK = `
    const run = await harness.goal({ title: 'From a page', agentName: 'robot' });
    const { status } = await run.call('createItem', { collection: 'products', data: { sku: 'P-' + location.hostname, title: 'From a page' } });
    await run.complete();
    const types = [];
    for await (const { type } of run.stream()) types.push(type);
    return { status, last: types.at(-1) };`;

  it('governs its agent with the SDK where the server names its origin, event streams included', async () => {
    expect(await findOut('localhost', WORK)).toEqual({ status: 'executed', last: 'RunSucceeded' });
  }, 60_000);

  it('reads there why it was refused, and what the answer says beside its body', async () => {
    const refused = `
      const answer = await fetch(url + '/api/v1/agent/runs/none', { headers: { authorization: 'Bearer hk_nobodys-key-at-all' } });
      return { status: answer.status, code: (await answer.json()).code, challenge: answer.headers.get('www-authenticate').slice(0, 6), traced: answer.headers.get('x-request-id') !== null };`;
    expect(await findOut('localhost', refused)).toEqual({ status: 401, code: 'UNAUTHENTICATED', challenge: 'Bearer', traced: true });
  }, 60_000);

  it('speaks the Model Context Protocol where the server names its origin, and nowhere else', async () => {
    await server.admin('PUT', 'settings', { contentOs: { mcp: true } });
    const list = `
      const headers = { authorization: 'Bearer ${agent.key}', 'content-type': 'application/json', accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' };
      const answer = await fetch(url + '/api/v1/mcp', { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }) });
      return { status: answer.status, names: (await answer.text()).includes('createItem') };`;
    expect([await findOut('localhost', list), await findOut('127.0.0.1', list)]).toEqual([{ status: 200, names: true }, { failed: 'TypeError' }]);
  }, 60_000);

  it('sees nothing and changes nothing anywhere else', async () => {
    const before = await server.head();
    expect(await findOut('127.0.0.1', WORK)).toEqual({ failed: expect.stringMatching(/TypeError|UNREACHABLE|NETWORK/) });
    expect(await server.head()).toBe(before);
  }, 60_000);

  it('learns from everywhere where tokens come from', async () => {
    const resource = `return (await (await fetch(url + '/.well-known/oauth-protected-resource/api/v1/mcp')).json()).authorization_servers;`;
    expect(await findOut('127.0.0.1', resource)).toEqual(['https://id.example.org']);
  }, 60_000);

  it('is given no cookie, and origins are told apart exactly', async () => {
    const headersFor = async (origin: string) => {
      const { headers } = await fetch(`${server.url}/api/v1/agent/goals`, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' } });
      return [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')];
    };
    expect(await headersFor('https://desk.example.org')).toEqual(['https://desk.example.org', null]);
    for (const other of ['https://desk.example.org.evil.example', 'http://desk.example.org', 'https://example.org', 'null']) expect([other, ...(await headersFor(other))]).toEqual([other, null, null]);
  });
});
