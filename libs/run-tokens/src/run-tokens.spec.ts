import { describe, expect, it } from '@jest/globals';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { decodeJwt, SignJWT } from 'jose';
import { RunTokens } from './run-tokens';

const NOON = new Date('2026-11-30T12:00:00.500Z');
const after = (seconds: number) => new Date(NOON.getTime() + seconds * 1000);
const OF = { principalId: 'key_robot', siteId: 'site_a', runId: 'run_1' };
const vaultOf = (secret = randomBytes(32)) => ({ pepper: () => Promise.resolve(secret) });

describe('Tokens of runs', () => {
  it('[AUTH-022] hold until their time is up, to the second, and in every process with the same vault', async () => {
    const vault = vaultOf();
    const { token, expiresAt } = await new RunTokens(vault).issue(OF, 60, NOON);
    expect(expiresAt).toBe('2026-11-30T12:01:00.000Z');
    const elsewhere = new RunTokens(vault);
    for (const [seconds, verified] of [[0, OF], [59, OF], [60, null], [3_600, null]] as const) expect(await elsewhere.verify(token, after(seconds))).toEqual(verified);
    expect(await new RunTokens(vaultOf()).verify(token, NOON)).toBeNull();
  });

  it('are each another one', async () => {
    const tokens = new RunTokens(vaultOf());
    const [one, other] = [await tokens.issue(OF, 60, NOON), await tokens.issue(OF, 60, NOON)];
    expect(one.token).not.toBe(other.token);
  });

  it('are nothing without a signature of ours, of another algorithm, issuer, or with a claim missing', async () => {
    const tokens = new RunTokens(vaultOf());
    const { token } = await tokens.issue(OF, 60, NOON);
    const [head, claims] = token.split('.') as [string, string];
    const hmac = await new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: 'HS256' }).sign(randomBytes(32));
    const foreign = await new SignJWT(decodeJwt(token)).setProtectedHeader({ alg: 'EdDSA' }).sign(generateKeyPairSync('ed25519').privateKey);
    for (const wrong of ['', 'hk_robot', 'a.b.c', `${head}.${claims}.`, `${token}x`, hmac, foreign, `${'a'.repeat(9_000)}.${claims}.x`]) expect(await tokens.verify(wrong, NOON)).toBeNull();
  });

  it('ask the vault again when it could not answer', async () => {
    let asked = 0;
    const secret = randomBytes(32);
    const tokens = new RunTokens({ pepper: () => (asked++ === 0 ? Promise.reject(new Error('The database is away')) : Promise.resolve(secret)) });
    await expect(tokens.issue(OF, 60, NOON)).rejects.toThrow('away');
    expect(await tokens.verify((await tokens.issue(OF, 60, NOON)).token, NOON)).toEqual(OF);
  });
});
