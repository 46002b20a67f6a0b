import { afterEach, describe, expect, it } from '@jest/globals';
import { SecretUnavailable, type SecretResolver } from '@app/vault';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { childrenOf, isAlive, lyingProgram, modernServer, rawServer, rawTool, referenceServer, type RawServer, type Reply } from '../testing';
import type { UpstreamTool } from '../upstream-tool/upstream-tool';
import type { Address, ConnectionOptions } from './open-client';
import { Upstream } from './upstream';

const secrets: SecretResolver = {
  resolve: (_site, reference) => (reference === 'secret://key' ? Promise.resolve('opens-sesame-4711') : Promise.reject(new SecretUnavailable(`${reference} is not set`))),
};
const never = new AbortController().signal;

describe('An upstream server', () => {
  const opened: { close(): Promise<unknown> }[] = [];
  const folder = mkdtempSync(join(tmpdir(), 'mcp-upstream-'));
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });

  const at = (transport: Address['transport'], more: Partial<Address> = {}, options: Partial<ConnectionOptions> = {}, clock?: () => number) => {
    const upstream = new Upstream({ siteId: 'site_a', server: 'up', transport, allowHosts: ['127.0.0.1'], ...more }, { secrets, stdio: true, ...options }, clock);
    opened.push(upstream);
    return upstream;
  };
  const raw = async (tools: readonly unknown[] = [rawTool('echo')]): Promise<RawServer> => {
    const server = await rawServer(tools);
    opened.push(server);
    return server;
  };
  const call = async (upstream: Upstream, name = 'echo', input: Record<string, unknown> = {}, signal = never) => upstream.call((await upstream.offered(name, signal))!.tool, input, { key: 'k' }, signal);
  const failure = (work: Promise<unknown>) => work.then(() => 'no failure', (error: Error) => error.message);

  it('is listed and called over streamable HTTP', async () => {
    const server = await raw();
    const upstream = at({ type: 'http', url: server.url });
    expect(await call(upstream, 'echo', { a: 1 })).toMatchObject({ content: [{ type: 'text', text: '{"a":1}' }] });
    expect(server.asked.find(({ method }) => method === 'tools/call')?.params).toMatchObject({ name: 'echo', arguments: { a: 1 }, _meta: { key: 'k' } });
  });

  it.each(['everything', 'memory', 'filesystem'] as const)('is listed and called over stdio: %s', async (name) => {
    const upstream = at(referenceServer(name, ...(name === 'filesystem' ? [folder] : name === 'everything' ? ['stdio'] : [])), {}, {});
    const { entries, isWhole } = await upstream.list(never);
    expect([entries.length > 5, isWhole]).toEqual([true, true]);
    const [tool, input] = ({ everything: ['get-sum', { a: 2, b: 3 }], memory: ['read_graph', {}], filesystem: ['list_directory', { path: folder }] } as const)[name];
    expect(JSON.stringify(await call(upstream, tool, input))).toMatch(/The sum of 2 and 3 is 5|entities|content/);
  });

  it('of today is spoken to in its own era, with what a later protocol brings', async () => {
    const server = await modernServer();
    opened.push(server);
    const upstream = at({ type: 'http', url: server.url });
    const { content } = (await call(upstream, 'shout', { text: 'hey' })) as { content: { text: string }[] };
    expect(JSON.parse(content[0]!.text)).toMatchObject({ said: 'HEY', era: 'modern', meta: { key: 'k' } });
    const before = (await upstream.offered('shout', never))!.digest;
    server.describe('Whispers a text.');
    for (const until = Date.now() + 5_000; (await upstream.offered('shout', never))!.digest === before && Date.now() < until; ) await turn();
    expect((await upstream.offered('shout', never))!.digest).not.toBe(before);
  });

  const lies: Readonly<Record<string, readonly [() => Reply, RegExp]>> = {
    'a result of 10 MB': [() => ({ result: { content: [{ type: 'text', text: 'x'.repeat(10_000_000) }] } }), /^RESPONSE_TOO_LARGE: /],
    'an event stream of 10 MB': [() => (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: 0, result: { content: [{ type: 'text', text: 'x'.repeat(10_000_000) }] } })}\n\n`);
    }, /^RESPONSE_TOO_LARGE: /],
    'what is not JSON': [() => (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":"2.0","id":'), /^RESPONSE_INVALID: /],
    'JSON that is no message': [() => (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"hello":"world"}'), /^RESPONSE_INVALID: /],
    'a page': [() => (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Log in</p>'), /^RESPONSE_INVALID: /],
    'a result that is none': [() => ({ result: { content: 'yes' } }), /^RESPONSE_INVALID: /],
    'an error': [() => ({ error: { code: -32602, message: 'No such thing' } }), /^UPSTREAM_REFUSED: .*-32602.*No such thing/],
    'status 500': [() => (response) => void response.writeHead(500).end('oops'), /^UPSTREAM_REFUSED: .*500/],
    'a cut connection': [() => (response) => void response.socket!.destroy(), /^UPSTREAM_UNREACHABLE: /],
    'a redirect to another server': [() => (response) => void response.writeHead(307, { location: 'http://127.0.0.1:9/mcp' }).end(), /^(ADDRESS_REFUSED|UPSTREAM_REFUSED|RESPONSE_INVALID|UPSTREAM_UNREACHABLE): /],
  };
  it.each(Object.keys(lies))('that answers %s gives a stable code, and serves the next call', async (name) => {
    const [reply, code] = lies[name]!;
    const server = await raw();
    const upstream = at({ type: 'http', url: server.url });
    expect(await call(upstream, 'echo', { n: 0 })).toBeDefined();
    server.on = { 'tools/call': reply };
    expect(await failure(call(upstream))).toMatch(code);
    server.on = {};
    expect(await call(upstream, 'echo', { n: 1 })).toMatchObject({ content: [{ text: '{"n":1}' }] });
  });

  it('that hangs is left when the caller leaves', async () => {
    const server = await raw();
    const upstream = at({ type: 'http', url: server.url });
    const leave = new AbortController();
    await call(upstream);
    server.on = { 'tools/call': () => () => leave.abort() };
    expect(await failure(call(upstream, 'echo', {}, leave.signal))).toMatch(/^UPSTREAM_TIMEOUT: /);
  });

  it('that does not take up the connection is left after the time limit', async () => {
    const server = await raw();
    server.on = { initialize: () => () => undefined, 'server/discover': () => () => undefined };
    expect(await failure(at({ type: 'http', url: server.url }, {}, { connectMs: 200 }).list(never))).toMatch(/^UPSTREAM_TIMEOUT: /);
  });

  it('that is not there is asked again only after a pause that grows', async () => {
    const server = await raw();
    await server.close();
    let now = 0;
    const upstream = at({ type: 'http', url: server.url }, {}, {}, () => now);
    const first = await failure(upstream.list(never));
    expect(first).toMatch(/^UPSTREAM_UNREACHABLE: /);
    expect(await failure(upstream.list(never))).toBe(first);
    const again = await rawServer([rawTool('echo')]);
    opened.push(again);
    const back = at({ type: 'http', url: again.url }, {}, {}, () => now);
    again.on = { initialize: () => (response) => void response.socket!.destroy() };
    expect(await failure(back.list(never))).toMatch(/^UPSTREAM_UNREACHABLE: /);
    again.on = {};
    expect(await failure(back.list(never))).toMatch(/^UPSTREAM_UNREACHABLE: /);
    now = 250;
    expect((await back.list(never)).entries).toHaveLength(1);
  });

  it('is reached only where the site may reach', async () => {
    const server = await raw();
    expect(await failure(at({ type: 'http', url: server.url }, { allowHosts: [] }).list(never))).toMatch(/^ADDRESS_REFUSED: 127\.0\.0\.1:\d+ is at a loopback address/);
    const byName = at({ type: 'http', url: server.url.replace('127.0.0.1', 'inside.example') }, { allowHosts: [] }, { resolver: { resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]) } });
    expect(await failure(byName.list(never))).toMatch(/^ADDRESS_REFUSED: inside\.example/);
    expect(server.asked).toEqual([]);
  });

  it('gets secrets by name, in headers, and nothing of them comes back', async () => {
    const server = await raw();
    server.on = { 'tools/call': ({ headers }) => ({ result: { content: [{ type: 'text', text: `${headers.authorization} ${Buffer.from('opens-sesame-4711').toString('base64')}` }] } }) };
    const upstream = at({ type: 'http', url: server.url, headers: { authorization: 'Bearer secret://key' } });
    const answer = JSON.stringify(await call(upstream));
    expect(server.asked.at(-1)!.headers.authorization).toBe('Bearer opens-sesame-4711');
    expect(answer).toContain('Bearer');
    expect(answer).not.toMatch(/sesame|b3BlbnMtc2VzYW1l/);
    server.on = { 'tools/call': () => ({ error: { code: -32000, message: 'wrong key opens-sesame-4711' } }) };
    expect(await failure(call(upstream))).toMatch(/^UPSTREAM_REFUSED: (?!.*sesame)/);
    expect(await failure(at({ type: 'http', url: server.url, headers: { 'x-api-key': 'secret://other' } }).list(never))).toMatch(/^SECRET_UNAVAILABLE: secret:\/\/other/);
  });

  it('gets secrets by name in its environment, and nothing else of this server\'s', async () => {
    process.env['HARNESS_TEST_SECRET'] = 'not-for-children';
    const upstream = at({ ...referenceServer('everything', 'stdio'), env: { TOKEN: 'secret://key' } });
    const said = JSON.stringify(await call(upstream, 'get-env'));
    expect(said).toContain('TOKEN');
    expect(said).not.toMatch(/sesame|not-for-children|HARNESS_TEST_SECRET/);
  });

  it('that is a program is refused when programs are off, and explains a failed start to who may know', async () => {
    expect(await failure(at(referenceServer('memory'), {}, { stdio: false }).list(never))).toMatch(/^STDIO_OFF: /);
    expect(await failure(at({ type: 'stdio', command: '/nowhere/program' }).list(never))).toMatch(/^UPSTREAM_UNREACHABLE: /);
    const failing = { type: 'stdio', command: process.execPath, args: ['-e', 'console.error("no licence"); process.exit(3)'] } as const;
    expect(await failure(at({ ...failing, args: [...failing.args] }, { explain: true }).list(never))).toMatch(/^UPSTREAM_UNREACHABLE: .*no licence/);
    expect(await failure(at({ ...failing, args: [...failing.args] }).list(never))).not.toMatch(/licence/);
  });

  it('that died is started again for the next call', async () => {
    const upstream = at(lyingProgram());
    expect(await failure(call(upstream, 'die'))).toMatch(/^UPSTREAM_UNREACHABLE: /);
    expect(await failure(call(upstream, 'echo'))).toBe('no failure');
  });

  it('that wants a sample, an input or our folders is told that there is no such method', async () => {
    const upstream = at(lyingProgram());
    const { content } = (await call(upstream, 'ask')) as { content: { text: string }[] };
    expect(JSON.parse(content[0]!.text)).toEqual(['sampling/createMessage', 'elicitation/create', 'roots/list'].map((method) => [method, -32601]));
  });

  it('that prints a result of 10 MB gives a stable code, and is started again', async () => {
    const upstream = at(lyingProgram());
    expect(await failure(call(upstream, 'large'))).toMatch(/^RESPONSE_TOO_LARGE: /);
    expect(await failure(call(upstream, 'echo'))).toBe('no failure');
  });

  it('that prints what is no message is left when the caller leaves, and serves the next call', async () => {
    const upstream = at(lyingProgram());
    await upstream.offered('garbage', never);
    expect(await failure(call(upstream, 'garbage', {}, AbortSignal.timeout(200)))).toMatch(/^UPSTREAM_TIMEOUT: /);
    expect(await failure(call(upstream, 'echo'))).toBe('no failure');
  });

  it('that ignores its end is killed', async () => {
    const upstream = at(lyingProgram());
    expect(await failure(call(upstream, 'immortal'))).toBe('no failure');
    const pids = childrenOf(process.pid);
    await upstream.close();
    // Nobody waits for the end of a process that was killed.
    for (const until = Date.now() + 5_000; pids.some(isAlive) && Date.now() < until; ) await turn();
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it('whose list changes is read again at once when it says so', async () => {
    const upstream = at(lyingProgram());
    const before = (await upstream.offered('echo', never))!.digest;
    await call(upstream, 'rewrite');
    expect((await upstream.offered('echo', never))!.digest).not.toBe(before);
  });

  it('whose list changes without a word is read again after a minute', async () => {
    let now = 0;
    const server = await raw();
    const upstream = at({ type: 'http', url: server.url }, {}, {}, () => now);
    const before = (await upstream.offered('echo', never))!.digest;
    server.tools = [rawTool('echo', { description: 'Does something else.' })];
    expect((await upstream.offered('echo', never))!.digest).toBe(before);
    now = 60_000;
    expect((await upstream.offered('echo', never))!.digest).not.toBe(before);
    expect(server.asked.filter(({ method }) => method === 'tools/list')).toHaveLength(2);
  });

  it('serves no more than 16 calls at once, and lets 256 wait', async () => {
    const server = await raw();
    const upstream = at({ type: 'http', url: server.url });
    await upstream.offered('echo', never);
    const waiting: (() => void)[] = [];
    const { promise: full, resolve } = Promise.withResolvers<void>();
    server.on = { 'tools/call': ({ id }) => (response) => {
      waiting.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } })));
      if (waiting.length === 16) resolve();
    } };
    const tool = (await upstream.offered('echo', never))!.tool as UpstreamTool;
    const leave = new AbortController();
    const calls = Array.from({ length: 273 }, () => failure(upstream.call(tool, {}, {}, leave.signal)));
    await full;
    expect(await calls.at(-1)).toMatch(/^UPSTREAM_BUSY: /);
    expect(waiting).toHaveLength(16);
    leave.abort();
    expect(new Set((await Promise.all(calls.slice(0, -1))).map((text) => text.split(':')[0]))).toEqual(new Set(['UPSTREAM_TIMEOUT']));
    server.on = {};
    expect(await failure(call(upstream))).toBe('no failure');
  });

  it('leaves no program behind when it is closed', async () => {
    const upstream = at(referenceServer('memory'));
    await upstream.list(never);
    const pids = childrenOf(process.pid);
    expect(pids.length).toBeGreaterThan(0);
    await upstream.close();
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await failure(upstream.list(never))).toMatch(/^UPSTREAM_UNREACHABLE: This server is stopping/);
    rmSync(folder, { recursive: true, force: true });
  });
});
