import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { modernServer, rawServer, rawTool, type Reply } from '../testing';
import { connections, failure, never } from './connections.examples';

describe('An upstream server behind a port', () => {
  const { at, raw, call, opened, rotate } = connections();

  it('is listed and called over streamable HTTP', async () => {
    const server = await raw();
    const upstream = at({ type: 'http', url: server.url });
    expect(await call(upstream, 'echo', { a: 1 })).toMatchObject({ content: [{ type: 'text', text: '{"a":1}' }] });
    expect(server.asked.find(({ method }) => method === 'tools/call')?.params).toMatchObject({ name: 'echo', arguments: { a: 1 }, _meta: { key: 'k' } });
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

  it('whose credentials were replaced is connected again with the new ones', async () => {
    const server = await raw();
    const upstream = at({ type: 'http', url: server.url, headers: { authorization: 'Bearer secret://key' } });
    expect(await failure(call(upstream))).toBe('no failure');
    rotate('the-new-one');
    server.on = { 'tools/call': ({ headers, id }) => (response) => {
      const ok = headers.authorization === 'Bearer the-new-one';
      response.writeHead(ok ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } }));
    } };
    expect(await failure(call(upstream))).toBe('no failure');
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
    const tool = (await upstream.offered('echo', never))!.tool;
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
});
