import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createSocketServer, type AddressInfo, type Server as SocketServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { OutboundHttp, type OutboundRequest } from './outbound-http';
import { PlayedResolver } from './played-resolver.examples';
import { Resolver } from './resolver';
import { SELF_SIGNED } from './self-signed.examples';

type Received = { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers']; readonly body: string };
type Answering = (request: Received, response: ServerResponse) => void;

const started: (Server | SocketServer)[] = [];
const listen = async <S extends Server | SocketServer>(server: S, host = '127.0.0.1'): Promise<number> => {
  started.push(server);
  await new Promise<void>((ready) => server.listen(0, host, ready));
  return (server.address() as AddressInfo).port;
};
const serve = async (answer: () => Answering, host?: string) => {
  const received: Received[] = [];
  const port = await listen(
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
        const seen = { method: request.method!, url: request.url!, headers: request.headers, body: Buffer.concat(chunks).toString() };
        received.push(seen);
        answer()(seen, response);
      });
    }),
    host,
  );
  return { received, port, host: `127.0.0.1:${port}` };
};

describe('The way out', () => {
  const ok: Answering = (_request, response) => response.end('fine');
  let answer = ok;
  let elsewhere = ok;
  let first: Awaited<ReturnType<typeof serve>>;
  let second: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    first = await serve(() => answer);
    second = await serve(() => elsewhere);
  });
  afterEach(() => {
    answer = ok;
    elsewhere = ok;
    first.received.length = 0;
    second.received.length = 0;
  });
  afterAll(async () => {
    for (const server of started) {
      if ('closeAllConnections' in server) server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    }
  });

  const ask = (more: Partial<OutboundRequest> = {}, resolver?: Resolver) =>
    new OutboundHttp(resolver).request({ url: `http://${first.host}/`, allowHosts: [first.host], timeoutMs: 5_000, ...more });
  const failure = async (more: Partial<OutboundRequest> = {}, resolver?: Resolver) => {
    const outcome = await ask(more, resolver).then(() => 'answered', (error: { code: string; message: string }) => `${error.code}: ${error.message}`);
    return outcome;
  };

  it('sends what it was given and gives back what was answered', async () => {
    answer = (_request, response) => response.writeHead(201, { 'x-Word': ['a', 'b'] }).end('{"n":1}');
    const { status, headers, bytes, isCut, url } = await ask({ url: `http://${first.host}/path?q=1`, method: 'PUT', headers: { 'content-type': 'application/json' }, credentials: { authorization: 'Bearer t' }, body: '{"a":"ü"}' });
    expect([status, headers['x-word'], bytes.toString(), isCut, url]).toEqual([201, 'a, b', '{"n":1}', false, `http://${first.host}/path?q=1`]);
    expect(first.received).toMatchObject([{ method: 'PUT', url: '/path?q=1', body: '{"a":"ü"}', headers: { host: first.host, authorization: 'Bearer t', 'content-length': '10' } }]);
  });

  it('refuses every host of a refused range, and opens it only when the site lists it', async () => {
    for (const url of [`http://${first.host}/`, `http://2130706433:${first.port}/`, `http://[::ffff:127.0.0.1]:${first.port}/`, `http://localhost:${first.port}/`, 'http://169.254.169.254/latest/meta-data/', 'http://10.0.0.1/']) {
      expect(await failure({ url, allowHosts: ['*.corp.example', `127.0.0.1:${first.port + 1}`] })).toMatch(/^ADDRESS_REFUSED: .*outbound\.allowHosts/);
    }
    expect(first.received).toEqual([]);
    expect((await ask()).bytes.toString()).toBe('fine');
  });

  it('refuses a name of which one address is refused, although the others are public', async () => {
    const names = new PlayedResolver({ 'mixed.example': [['93.184.215.14', '10.0.0.7']], 'meta.corp.example': [['169.254.169.254']], 'db.corp.example': [['127.0.0.1']] });
    expect(await failure({ url: 'http://mixed.example/' }, names)).toMatch(/^ADDRESS_REFUSED: mixed\.example is at a private address/);
    expect(await failure({ url: 'http://meta.corp.example/', allowHosts: ['*.corp.example'] }, names)).toMatch(/^ADDRESS_REFUSED: .* metadata address/);
    expect((await ask({ url: `http://db.corp.example:${first.port}/`, allowHosts: ['*.corp.example'] }, names)).status).toBe(200);
    expect(first.received[0]!.headers.host).toBe(`db.corp.example:${first.port}`);
  });

  it('[SEC-008] resolves a name once per call: a name that answers differently the second time reaches no refused address', async () => {
    const names = new PlayedResolver({ 'rebind.example': [['127.0.0.1'], ['169.254.169.254']], 'turn.example': [['127.0.0.2'], ['127.0.0.1']] });
    answer = ({ url }, response) => (url === '/' ? response.writeHead(307, { location: '/again' }).end() : response.end('end'));
    const listed = { allowHosts: ['rebind.example', 'turn.example'] };
    const { bytes, url } = await ask({ url: `http://rebind.example:${first.port}/`, ...listed }, names);
    expect([bytes.toString(), url, names.asked]).toEqual(['end', `http://rebind.example:${first.port}/again`, ['rebind.example']]);
    expect(await failure({ url: `http://rebind.example:${first.port}/`, ...listed }, names)).toMatch(/^ADDRESS_REFUSED: .* metadata/);
    // What was checked is what is connected: were the name asked again for the connection, this would reach the server here.
    expect(await failure({ url: `http://turn.example:${first.port}/`, ...listed }, names)).toMatch(/^UPSTREAM_UNREACHABLE/);
    expect([names.asked.filter((name) => name === 'turn.example').length, first.received.length]).toEqual([1, 2]);
  });

  it('refuses a redirect into a refused range, whatever its form', async () => {
    for (const status of [301, 302, 303, 307, 308]) {
      for (const location of [`http://${second.host}/`, `http://2130706433:${second.port}/`, `http://[::ffff:7f00:1]:${second.port}/`, `//${second.host}/`, 'http://169.254.169.254/latest/', 'http://private.example/']) {
        answer = (_request, response) => response.writeHead(status, { location }).end();
        expect(await failure({ method: 'POST', body: '{}' }, new PlayedResolver({ 'private.example': [['192.168.1.1']] }))).toMatch(/^ADDRESS_REFUSED/);
      }
    }
    expect(second.received).toEqual([]);
  });

  it('follows three redirects and no fourth, and none that leads nowhere safe', async () => {
    answer = ({ url }, response) => (Number(url.slice(1)) > 0 ? response.writeHead(302, { location: `/${Number(url.slice(1)) - 1}` }).end() : response.end('there'));
    expect((await ask({ url: `http://${first.host}/3` })).bytes.toString()).toBe('there');
    expect(await failure({ url: `http://${first.host}/4` })).toMatch(/^REDIRECT_REFUSED: .* after 3 redirects/);
    for (const location of ['file:///etc/passwd', 'javascript:1', 'http://', 'http://user:pass@example.com/']) {
      answer = (_request, response) => response.writeHead(302, { location }).end();
      expect(await failure()).toMatch(/^REDIRECT_REFUSED/);
    }
  });

  it('takes no credential to another origin, and repeats a body only where the status says so', async () => {
    const request = { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json', 'idempotency-key': 'k', 'x-mine': 'm' }, credentials: { authorization: 'Bearer t', 'x-key': 's' }, allowHosts: [first.host, second.host] } as const;
    answer = (_request, response) => response.writeHead(307, { location: `http://${second.host}/next` }).end();
    await ask(request);
    expect(second.received).toMatchObject([{ method: 'POST', url: '/next', body: '{"a":1}', headers: { 'content-type': 'application/json', 'idempotency-key': 'k' } }]);
    for (const name of ['authorization', 'x-key', 'x-mine']) expect(second.received[0]!.headers[name]).toBeUndefined();
    // Back at the first origin they stay away.
    elsewhere = (_request, response) => response.writeHead(303, { location: `http://${first.host}/back` }).end();
    answer = ({ url }, response) => (url === '/back' ? response.end() : response.writeHead(308, { location: `http://${second.host}/` }).end());
    await ask(request);
    expect(first.received.at(-1)).toMatchObject({ method: 'GET', url: '/back', body: '' });
    expect([first.received.at(-1)!.headers.authorization, first.received.at(-1)!.headers['content-type']]).toEqual([undefined, undefined]);
    answer = ({ url }, response) => (url === '/' ? response.writeHead(307, { location: '/same' }).end() : response.end());
    await ask(request);
    expect(first.received.at(-1)).toMatchObject({ method: 'POST', url: '/same', body: '{"a":1}', headers: { authorization: 'Bearer t', 'x-key': 's', 'x-mine': 'm' } });
  });

  it('reads no more of a body than allowed, compressed or not', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(70_000);
    answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    const unfolded = await ask({ maxBytes: 1_000 });
    expect([unfolded.isCut, unfolded.bytes.length]).toEqual([true, 1_000]);
    let ended: () => void = () => undefined;
    const cut = new Promise<void>((settle) => (ended = settle));
    answer = (_request, response) => {
      const more = () => response.destroyed || (response.write('x'.repeat(65_536)) ? setImmediate(more) : response.once('drain', more));
      response.on('close', ended);
      more();
    };
    expect(await ask().then(({ isCut, bytes }) => [isCut, bytes.length])).toEqual([true, 512 * 1024]);
    await cut;
    answer = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('short'));
    expect(await ask().then(({ isCut, bytes }) => [isCut, bytes.toString()])).toEqual([false, 'short']);
    for (const [encoding, body] of [['gzip', 'no gzip'], ['br', 'no brotli'], ['lzma', 'x'], ['gzip, gzip', 'x']] as const) {
      answer = (_request, response) => response.writeHead(200, { 'content-encoding': encoding }).end(body);
      expect(await failure()).toMatch(/^RESPONSE_INVALID/);
    }
  });

  it('waits no longer than allowed: for a name, for an answer, for the end of a body that drips', async () => {
    const timeout = new RegExp(`^UPSTREAM_TIMEOUT: http://${first.host} did not give a whole answer within 80 ms`);
    answer = () => undefined;
    expect(await failure({ timeoutMs: 80 })).toMatch(timeout);
    answer = (_request, response) => {
      const drip = setInterval(() => response.write('x'), 10);
      response.on('close', () => clearInterval(drip));
    };
    expect(await failure({ timeoutMs: 80 })).toMatch(timeout);
    class Silent extends Resolver {
      override resolve = () => new Promise<never>(() => undefined);
    }
    expect(await failure({ url: 'http://silent.example/', timeoutMs: 80 }, new Silent())).toMatch(/^UPSTREAM_TIMEOUT/);
    const abort = new AbortController();
    answer = () => abort.abort();
    expect(await failure({ signal: abort.signal })).toMatch(/^UPSTREAM_TIMEOUT/);
  });

  it('says in a sentence what is wrong with an upstream, with a stable code and nothing of what was sent', async () => {
    const raw = async (text: string) => `http://127.0.0.1:${await listen(createSocketServer((socket) => socket.on('error', () => undefined).once('data', () => socket.end(text))))}/s3cret?key=s3cret`;
    const tls = `https://127.0.0.1:${await listen(createTlsServer(SELF_SIGNED, (_request, response) => response.end()))}/s3cret`;
    const closed = createSocketServer();
    const nobody = `http://127.0.0.1:${await listen(closed)}/s3cret`;
    await new Promise((done) => started.splice(started.indexOf(closed), 1)[0]!.close(done));
    const rows: readonly (readonly [string, RegExp])[] = [
      [nobody, /^UPSTREAM_UNREACHABLE: .* refused the connection/],
      [await raw('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nshort'), /^UPSTREAM_UNREACHABLE: .* before its answer was complete/],
      [await raw(''), /^UPSTREAM_UNREACHABLE: .* before its answer was complete/],
      [await raw('I am no web server\r\n\r\n'), /^RESPONSE_INVALID: .* not HTTP/],
      [await raw(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`), /^RESPONSE_INVALID: .* headers/],
      [tls, /^UPSTREAM_TLS: .* signed by itself/],
      [`https://${first.host}/s3cret`, /^UPSTREAM_TLS: .* TLS/],
      ['http://nowhere.example/s3cret', /^UPSTREAM_UNREACHABLE: .* does not resolve/],
      ['ftp://127.0.0.1/s3cret', /^REQUEST_INVALID/],
      ['http://user:s3cret@127.0.0.1/', /^REQUEST_INVALID/],
    ];
    for (const [url, sentence] of rows) {
      const told = await failure({ url, allowHosts: ['127.0.0.1'], credentials: { authorization: 's3cret' } }, new PlayedResolver({}));
      expect(told).toMatch(sentence);
      expect(told).not.toContain('s3cret');
    }
    expect(await failure({ credentials: { authorization: 's3cret\r\nx: y' } })).toMatch(/^REQUEST_INVALID: .*header(?!.*s3cret)/);
  });

  it('reaches a server over IPv6 when it is listed', async () => {
    const server = await serve(() => ok, '::1');
    expect((await ask({ url: `http://[::1]:${server.port}/`, allowHosts: [`[::1]:${server.port}`] })).status).toBe(200);
    expect(await failure({ url: `http://[::1]:${server.port}/` })).toMatch(/^ADDRESS_REFUSED: .* loopback/);
  });
});
