import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OutboundHttp } from '@app/outbound';
import { SecretUnavailable } from '@app/vault';
import fc from 'fast-check';
import { SignedWebhook, type Webhook } from './signed-webhook';

const NOW = new Date('2030-01-01T10:00:00.500Z');
const SECONDS = '1893492000';

describe('A signed webhook', () => {
  let receiver: Server;
  let host: string;
  let received: { method: string | undefined; url: string | undefined; headers: IncomingHttpHeaders; body: string }[];

  beforeAll(async () => {
    receiver = createServer((request, reply) => {
      let body = '';
      request.setEncoding('utf8').on('data', (text: string) => (body += text)).on('end', () => {
        const { method, url, headers } = request;
        received.push({ method, url, headers, body });
        const status = Number(/^\/(\d{3})/.exec(url ?? '')?.[1] ?? 200);
        reply.writeHead(status, status === 307 ? { location: '/elsewhere' } : {}).end('said');
      });
    });
    await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
    host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((closed) => receiver.close(closed)));
  beforeEach(() => void (received = []));

  const secrets = { resolve: (_site: string, reference: string) => (reference === 'secret://hook' ? Promise.resolve('hush') : Promise.reject(new SecretUnavailable('The secret is not set.'))) };
  const signing = { of: (siteId: string) => Promise.resolve(`own of ${siteId}`) };
  const webhook = new SignedWebhook({ outbound: new OutboundHttp(), secrets, signing, clock: () => NOW });
  const send = (more: Partial<Webhook> = {}) => webhook.send({ siteId: 'site_a', url: `http://${host}/hook`, body: { a: 'ü' }, deliveryId: 'delivery-1', allowHosts: [host], ...more });
  const hmac = (key: string, body: string) => `v1=${createHmac('sha256', key).update(`${SECONDS}.${body}`).digest('hex')}`;

  it('[NOTIFY-013] is signed with an HMAC over timestamp and body, whatever the body', async () => {
    expect(await send()).toEqual({ ok: true, status: 200, durationMs: expect.any(Number) });
    expect(received).toMatchObject([{ method: 'POST', url: '/hook', body: '{"a":"ü"}', headers: { 'content-type': 'application/json', 'x-harness-timestamp': SECONDS, 'x-harness-delivery': 'delivery-1' } }]);
    expect(received[0]!.headers['x-harness-signature']).toBe(hmac('own of site_a', '{"a":"ü"}'));
    await fc.assert(
      fc.asyncProperty(fc.json(), fc.string({ minLength: 1 }), async (json, key) => {
        received = [];
        await send({ body: JSON.parse(json) as unknown, signedWith: { value: key } });
        const [{ body, headers }] = received as [(typeof received)[number]];
        expect([headers['x-harness-timestamp'], headers['x-harness-signature']]).toEqual([SECONDS, hmac(key, body)]);
      }),
      { numRuns: 30 },
    );
  });

  it('carries a text as it is, and is signed over that', async () => {
    await send({ text: 'CEF:0|a\\|b|ü', contentType: 'text/plain; charset=utf-8' });
    expect(received).toMatchObject([{ body: 'CEF:0|a\\|b|ü', headers: { 'content-type': 'text/plain; charset=utf-8', 'x-harness-signature': hmac('own of site_a', 'CEF:0|a\\|b|ü') } }]);
  });

  it('is signed with the secret that is named, and with the site\'s own where none is', async () => {
    await send({ signedWith: { secret: 'secret://hook' } });
    await send({ signedWith: { secret: 'secret://webhook-signing' } });
    expect(received.map(({ headers }) => headers['x-harness-signature'])).toEqual([hmac('hush', '{"a":"ü"}'), hmac('own of site_a', '{"a":"ü"}')]);
    expect(await send({ signedWith: { secret: 'secret://unknown' } })).toEqual({ ok: false, code: 'SECRET_UNAVAILABLE', detail: 'The secret is not set.', status: null, durationMs: expect.any(Number) });
    expect(received).toHaveLength(2);
  });

  it('goes to a URL with a secret in it, and tells of none', async () => {
    await send({ url: `http://${host}/in/secret://hook?key=secret://hook` });
    expect(received[0]!.url).toBe('/in/hush?key=hush');
    expect(await send({ url: `http://${host}/500/secret://hook` })).toEqual({ ok: false, code: 'UPSTREAM_STATUS', detail: `http://${host} answered 500.`, status: 500, durationMs: expect.any(Number) });
  });

  it('fails with a code where it is refused, redirected, not allowed or not answered', async () => {
    const codes = await Promise.all([
      send({ url: `http://${host}/404` }), send({ url: `http://${host}/307` }), send({ allowHosts: [] }), send({ url: 'http://127.0.0.1:1/', allowHosts: ['127.0.0.1:1'] }), send({ url: 'ftp://a.example' }),
    ]);
    expect(codes.map((outcome) => !outcome.ok && outcome.code)).toEqual(['UPSTREAM_STATUS', 'REDIRECT_REFUSED', 'ADDRESS_REFUSED', 'UPSTREAM_UNREACHABLE', 'REQUEST_INVALID']);
    expect(received.map(({ url }) => url).toSorted()).toEqual(['/307', '/404']);
  });

  it('rejects when the vault cannot be read, for that is no fault of the receiver', async () => {
    const broken = new SignedWebhook({ outbound: new OutboundHttp(), secrets, signing: { of: () => Promise.reject(new Error('no database')) } });
    await expect(broken.send({ siteId: 'site_a', url: `http://${host}/hook`, body: 1, deliveryId: 'd', allowHosts: [host] })).rejects.toThrow('no database');
  });
});
