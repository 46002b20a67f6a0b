import { describe, expect, it } from '@jest/globals';
import { SecretUnavailable } from '@app/vault';
import { VaultSigningSecret } from './signing-secret';

/** A vault in which one site has set its own secret. */
const vault = {
  resolve: (siteId: string, reference: string) =>
    siteId === 'site_own' && reference === 'secret://webhook-signing' ? Promise.resolve('ours') : siteId === 'site_broken' ? Promise.reject(new Error('no database')) : Promise.reject(new SecretUnavailable('not set')),
  pepper: (siteId: string) => Promise.resolve(Buffer.from(`key of ${siteId}`)),
};

describe('What requests are signed with', () => {
  const signing = new VaultSigningSecret(vault);

  it('is the secret that the site set, and until then one of the site that nobody can guess from another', async () => {
    expect(await signing.of('site_own')).toBe('ours');
    const [a, again, b] = await Promise.all([signing.of('site_a'), signing.of('site_a'), signing.of('site_b')]);
    expect(a).toMatch(/^[\w-]{43}$/);
    expect([again === a, b === a, a.includes('key of')]).toEqual([true, false, false]);
  });

  it('is never replaced by another because the vault failed', async () => {
    await expect(signing.of('site_broken')).rejects.toThrow('no database');
  });
});
