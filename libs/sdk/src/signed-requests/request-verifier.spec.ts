import { describe, expect, it } from '@jest/globals';
import { signatureHeaders } from '@app/webhooks';
import fc from 'fast-check';
import { RequestVerifier, type ReceivedRequest } from './request-verifier';

const NOW = new Date('2030-01-01T10:00:00.500Z');
const signed = (more: Partial<ReceivedRequest> = {}, secret = 's', at = NOW): ReceivedRequest => {
  const request = { method: 'POST', url: '/tools?v=1', body: '{"a":"ü"}', ...more };
  const text = request.method === 'GET' || request.method === 'DELETE' ? request.url : typeof request.body === 'string' ? request.body : new TextDecoder().decode(request.body);
  return { ...request, headers: { 'Idempotency-Key': 'run_1/call_1', ...signatureHeaders(secret, text, at), ...more.headers } };
};
const verifier = (now = NOW, secret = 's') => new RequestVerifier(secret, { now: () => now });
const detail = async (request: ReceivedRequest, by = verifier()) => {
  const verdict = await by.verify(request);
  return verdict.ok ? 'ok' : verdict.detail;
};
const minutesLater = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000);

describe('A receiver', () => {
  it('takes what the harness signed, whatever the case of its headers, as text or as bytes', async () => {
    expect(await verifier().verify(signed())).toEqual({ ok: true, idempotencyKey: 'run_1/call_1', signedAt: new Date('2030-01-01T10:00:00.000Z') });
    const { headers, ...rest } = signed();
    expect(await detail({ ...rest, headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])) })).toBe('ok');
    expect(await detail(signed({ body: new TextEncoder().encode('{"a":"ü"}') }))).toBe('ok');
    for (const method of ['GET', 'DELETE']) expect(await detail(signed({ method, body: '' }))).toBe('ok');
  });

  it('refuses what is not signed, was signed with another secret or was changed on the way', async () => {
    expect(await detail({ ...signed(), headers: {} })).toMatch(/not signed/);
    expect(await detail(signed({ headers: { 'x-harness-signature': 'v2=00' } }))).toMatch(/known form/);
    expect(await detail(signed({ headers: { 'x-harness-timestamp': '-1' } }))).toMatch(/known form/);
    expect(await detail(signed({ headers: { 'x-harness-timestamp': ['1', '2'] } }))).toMatch(/not signed/);
    expect(await detail(signed({}, 'other'))).toMatch(/under this secret/);
    expect(await detail({ ...signed(), body: '{"a":"u"}' })).toMatch(/under this secret/);
    expect(await detail({ ...signed({ method: 'GET', body: '' }), url: '/tools?v=2' })).toMatch(/under this secret/);
  });

  it('refuses what is older than five minutes, or from a clock that is ahead', async () => {
    expect(await detail(signed(), verifier(minutesLater(4.9)))).toBe('ok');
    expect(await detail(signed(), verifier(minutesLater(5.1)))).toMatch(/too long ago/);
    expect(await detail(signed(), verifier(minutesLater(-5.1)))).toMatch(/too long ago/);
  });

  it('refuses what it has received before, and takes the next attempt of the same call', async () => {
    const receiving = verifier();
    expect([await detail(signed(), receiving), await detail(signed(), receiving)]).toEqual(['ok', 'The request has been received before.']);
    expect(await detail(signed({}, 's', new Date(NOW.getTime() + 1_000)), receiving)).toBe('ok');
    const shared = new Set<string>();
    const isNew = (signature: string) => !shared.has(signature) && Boolean(shared.add(signature));
    const [one, other] = [new RequestVerifier('s', { now: () => NOW, isNew }), new RequestVerifier('s', { now: () => NOW, isNew })];
    expect([await detail(signed(), one), await detail(signed(), other)]).toEqual(['ok', 'The request has been received before.']);
  });

  it('agrees with the sender on every body, and on none that differs in a character', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary', minLength: 1 }), fc.string({ minLength: 1 }), async (body, more, secret) => {
        expect(await detail(signed({ body }, secret), verifier(NOW, secret))).toBe('ok');
        expect(await detail({ ...signed({ body }, secret), body: body + more }, verifier(NOW, secret))).toMatch(/under this secret/);
      }),
      { numRuns: 200 },
    );
  });
});
