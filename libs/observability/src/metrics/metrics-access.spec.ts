import { describe, expect, it } from '@jest/globals';
import { mayRead } from './metrics-access';

const TOKEN = 'a-token-of-the-operators';
const local = { host: '127.0.0.1:4600' };

describe('Metrics', () => {
  it.each(['127.0.0.1', 'localhost', '::1', '127.0.0.53'])('are open to the machine of a server that listens on %s', async (host) => {
    expect(await mayRead({ host }, local)).toBe(true);
    expect(await mayRead({ host }, { host: '[::1]:4600' })).toBe(true);
  });

  it.each([
    ['a server that listens on every address', { host: '0.0.0.0' }, local],
    ['a request that came through a proxy', { host: '127.0.0.1' }, { ...local, 'x-forwarded-for': '203.0.113.7' }],
    ['a page whose name was pointed at this machine', { host: '127.0.0.1' }, { host: 'evil.example:4600' }],
    ['a request without a host', { host: '127.0.0.1' }, {}],
    ['anybody once a token is set', { host: '127.0.0.1', token: TOKEN }, local],
    ['a wrong token', { host: '127.0.0.1', token: TOKEN }, { ...local, authorization: `Bearer ${TOKEN}x` }],
  ])('are closed to %s', async (_who, access, headers) => {
    expect(await mayRead(access, headers)).toBe(false);
  });

  it('are open to the token and to the key of an operator', async () => {
    const access = { host: '0.0.0.0', token: TOKEN, isOperator: (key: string) => Promise.resolve(key === 'hk_platform') };
    expect(await mayRead(access, { authorization: `Bearer ${TOKEN}` })).toBe(true);
    expect(await mayRead(access, { authorization: 'Bearer hk_platform' })).toBe(true);
    expect(await mayRead(access, { authorization: 'Bearer hk_of-one-site' })).toBe(false);
  });
});
