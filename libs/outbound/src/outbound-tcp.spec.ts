import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { OutboundTcp, type OutboundMessage } from './outbound-tcp';
import { PlayedResolver } from './played-resolver.examples';
import { SELF_SIGNED } from './self-signed.examples';

const started: Server[] = [];
const sockets = new Set<Socket>();
/** Keeps what came on each connection that its other side ended. */
const receiver = async (behave: (socket: Socket) => void = () => undefined, tls = false) => {
  const received: string[] = [];
  const take = (socket: Socket) => {
    sockets.add(socket);
    let text = '';
    socket.on('error', () => undefined).on('end', () => received.push(text));
    behave(socket);
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  };
  const server = tls ? createTlsServer(SELF_SIGNED, take).on('tlsClientError', () => undefined) : createServer(take);
  started.push(server);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { received, host, address: `${tls ? 'tls' : 'tcp'}://${host}` };
};

describe('A message by TCP', () => {
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  });
  afterAll(() => Promise.all(started.map((server) => new Promise((closed) => server.close(closed)))));

  const send = (address: string, more: Partial<OutboundMessage> = {}, tcp = new OutboundTcp()) =>
    tcp.send({ address, payload: 'Grüße\n', allowHosts: [new URL(address).host], timeoutMs: 5_000, ...more }).then(() => 'taken', (error: unknown) => (error as { code: string }).code);

  it('was taken when the receiver has read it and closed', async () => {
    const to = await receiver();
    const large = 'x'.repeat(3_000_000);
    expect([await send(to.address), await send(to.address, { payload: large })]).toEqual(['taken', 'taken']);
    expect(to.received).toEqual(['Grüße\n', large]);
  });

  it('was not taken by a receiver that breaks the connection, closes it before it has everything, is not there or never closes', async () => {
    const [breaks, closes, holds] = [await receiver((socket) => socket.once('data', () => socket.resetAndDestroy())), await receiver((socket) => socket.destroy()), await receiver((socket) => (socket.allowHalfOpen = true))];
    expect(await send(breaks.address)).toBe('UPSTREAM_UNREACHABLE');
    expect(await send(closes.address, { payload: 'x'.repeat(3_000_000) })).toBe('UPSTREAM_UNREACHABLE');
    expect(await send('tcp://127.0.0.1:1')).toBe('UPSTREAM_UNREACHABLE');
    expect(await send(holds.address, { timeoutMs: 200 })).toBe('UPSTREAM_TIMEOUT');
    expect(await send(holds.address, { signal: AbortSignal.abort() })).toBe('UPSTREAM_TIMEOUT');
  });

  it('goes to no address that the site has not opened, and to the one that was looked at', async () => {
    const to = await receiver();
    const { port } = new URL(to.address);
    const tcp = new OutboundTcp(new PlayedResolver({ 'siem.example': [['127.0.0.1'], ['10.0.0.1']], 'cloud.example': [['169.254.169.254']] }));
    expect(await send(to.address, { allowHosts: [] })).toBe('ADDRESS_REFUSED');
    expect(await send(`tcp://siem.example:${port}`, { allowHosts: ['siem.example'] }, tcp)).toBe('taken');
    expect(await send(`tcp://siem.example:${port}`, { allowHosts: [] }, tcp)).toBe('ADDRESS_REFUSED');
    expect(await send(`tcp://cloud.example:${port}`, { allowHosts: ['cloud.example'] }, tcp)).toBe('ADDRESS_REFUSED');
    expect(to.received).toEqual(['Grüße\n']);
  });

  it('goes by TLS to whoever shows a certificate that is trusted, and not a byte of it to anybody else', async () => {
    const to = await receiver(undefined, true);
    expect(await send(to.address)).toBe('UPSTREAM_TLS');
    expect(to.received.join('')).toBe('');
    expect(await send(to.address, {}, new OutboundTcp(undefined, { ca: SELF_SIGNED.cert }))).toBe('taken');
    expect(to.received.at(-1)).toBe('Grüße\n');
  });
});
