import { describe, expect, it } from '@jest/globals';
import { signatureHeaders } from '@app/webhooks';
import { verifyWebhook, type ReceivedWebhook } from './verify-webhook';

const NOW = new Date('2030-01-01T10:00:00.500Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);
const sent = (body = '{"a":"ü"}', secret = 's', at = NOW) => ({ body, headers: { 'X-Harness-Delivery': 'event-1', ...signatureHeaders(secret, body, at) } });
const detail = async (webhook: Omit<ReceivedWebhook, 'secret' | 'seen'> & Partial<ReceivedWebhook>) => {
  const verdict = await verifyWebhook({ secret: 's', seen: new Set(), now: NOW, ...webhook });
  return verdict.ok ? 'ok' : verdict.detail;
};

describe('The verifier of webhooks', () => {
  it('takes what the harness signed, as text or as bytes, and names the delivery', async () => {
    expect(await verifyWebhook({ secret: 's', seen: new Set(), now: NOW, ...sent() })).toEqual({ ok: true, deliveryId: 'event-1', signedAt: new Date('2030-01-01T10:00:00.000Z') });
    expect(await detail({ ...sent(), body: new TextEncoder().encode('{"a":"ü"}') })).toBe('ok');
  });

  it('refuses what is not signed, was changed, or was signed with another secret', async () => {
    expect(await detail({ body: '{}', headers: {} })).toMatch(/not signed/);
    expect(await detail({ ...sent(), body: '{"a":"u"}' })).toMatch(/under this secret/);
    expect(await detail(sent('{}', 'other'))).toMatch(/under this secret/);
    expect(await detail({ ...sent(), headers: { ...sent().headers, 'x-harness-timestamp': '1893492001' } })).toMatch(/under this secret/);
  });

  it('refuses what is older than five minutes, or from a clock that is ahead', async () => {
    expect(await detail({ ...sent(), now: later(299_000) })).toBe('ok');
    for (const ms of [301_000, -301_000]) expect(await detail({ ...sent(), now: later(ms) })).toMatch(/too long ago/);
    expect(await detail({ ...sent(), now: later(20_000), toleranceMs: 10_000 })).toMatch(/too long ago/);
  });

  it('[NOTIFY-014] refuses a webhook that came before, whatever delivery it pretends to be, and takes the next attempt', async () => {
    const seen = new Set<string>();
    const captured = sent();
    expect(await detail({ ...captured, seen })).toBe('ok');
    expect(await detail({ ...captured, seen })).toBe('The request has been received before.');
    expect(await detail({ ...captured, headers: { ...captured.headers, 'X-Harness-Delivery': 'event-2' }, seen, now: later(60_000) })).toBe('The request has been received before.');
    expect(await detail({ ...sent('{"a":"ü"}', 's', later(1_000)), seen })).toBe('ok');
  });

  it('remembers nothing of what it refuses, so that a forgery cannot shut out the true one', async () => {
    const seen = new Set<string>();
    await detail({ ...sent('{}', 'other'), seen });
    expect(seen.size).toBe(0);
  });
});
