import { describe, expect, it } from '@jest/globals';
import { identityOfClaims } from './identity-of-claims.policy';
import { discoveryUrl, isIssuer, isTrustworthy } from './issuer-url.policy';
import { audiencesOf, challenge, MCP_PATH, protectedResource } from './protected-resource.view';
import { tokenRefusal } from './token-refusal.policy';

const ISSUER = 'https://id.example.com';

describe('An issuer', () => {
  it.each([ISSUER, `${ISSUER}/`, `${ISSUER}/realms/main`, 'http://127.0.0.1:9000', 'http://localhost/realm', 'http://[::1]:1'])('is trusted over TLS or on this machine: %s', (address) => {
    expect(isIssuer(address)).toBe(true);
  });

  it.each(['', 'id.example.com', 'http://id.example.com', 'ftp://id.example.com', `${ISSUER}?tenant=1`, `${ISSUER}#x`, 'https://user:secret@id.example.com', 'http://127.0.0.1.example.com', 'http://localhost.example.com', `${ISSUER} `])('is not: %j', (address) => {
    expect(isIssuer(address)).toBe(false);
  });

  it('may keep its keys elsewhere, under an address with a query', () => {
    expect([isTrustworthy('https://keys.example.com/jwks?tenant=1'), isTrustworthy('http://keys.example.com/jwks')]).toEqual([true, false]);
  });

  it('describes itself at one place, with a slash at its end or without', () => {
    expect([discoveryUrl(`${ISSUER}/`), discoveryUrl(`${ISSUER}/realm`)]).toEqual([`${ISSUER}/.well-known/openid-configuration`, `${ISSUER}/realm/.well-known/openid-configuration`]);
  });
});

describe('The claims of a token', () => {
  const claims = { sub: '17', email: 'ada@example.com', email_verified: true };
  const of = (more: object = {}, typ?: string) => identityOfClaims(ISSUER, typ, { ...claims, ...more });

  it('name an account, and an address that the issuer has verified', () => {
    expect(of()).toEqual({ issuer: ISSUER, subject: '17', email: 'ada@example.com' });
    for (const isVerified of [false, undefined, null, 'true', 1, 'yes', {}]) expect(of({ email_verified: isVerified })).toEqual({ issuer: ISSUER, subject: '17' });
    expect(identityOfClaims(ISSUER, 'JWT', { sub: '17' })).toEqual({ issuer: ISSUER, subject: '17' });
    expect(identityOfClaims(ISSUER, 'JWT', { sub: '17', email: 'ada@example.com' })).toEqual({ issuer: ISSUER, subject: '17' });
    for (const email of [undefined, 7, ['ada@example.com'], 'x'.repeat(255)]) expect(of({ email })).toEqual({ issuer: ISSUER, subject: '17' });
  });

  it('name nobody without a subject', () => {
    for (const sub of [undefined, '', 7, null, 'x'.repeat(256)]) expect(of({ sub })).toBeNull();
  });

  it('are those of a token to sign in with', () => {
    for (const typ of [undefined, 'JWT', 'jwt', 'at+jwt', 'application/at+jwt']) expect(of({}, typ)).not.toBeNull();
    for (const typ of ['logout+jwt', 'secevent+jwt', 'dpop+jwt', '']) expect(of({}, typ)).toBeNull();
  });
});

describe('What a client is told', () => {
  const publicUrl = 'https://harness.example.com';

  it('is the resource under whose address it asks, and the issuers', () => {
    expect(protectedResource({ publicUrl, issuers: [ISSUER] }, MCP_PATH)).toEqual({
      resource: `${publicUrl}/api/v1/mcp`, resource_name: 'Agent Harness', resource_documentation: `${publicUrl}/docs`, authorization_servers: [ISSUER], bearer_methods_supported: ['header'],
      scopes_supported: ['openid', 'email'],
    });
    expect(protectedResource({ publicUrl, issuers: [ISSUER] }, '').resource).toBe(publicUrl);
    expect(audiencesOf(publicUrl)).toEqual([publicUrl, `${publicUrl}/`, `${publicUrl}/api/v1/mcp`]);
  });

  it('is where to look, and whether its token was the reason', () => {
    const root = `resource_metadata="${publicUrl}/.well-known/oauth-protected-resource`;
    expect(challenge(publicUrl, MCP_PATH, false)).toBe(`Bearer ${root}/api/v1/mcp"`);
    expect(challenge(publicUrl, '/api/v1/items/products', true)).toBe(`Bearer error="invalid_token", ${root}"`);
  });

  it('is why a genuine token was refused, and nothing of others', () => {
    expect(tokenRefusal({ code: 'ERR_JWT_EXPIRED', claim: 'exp' })).toContain('expired');
    for (const [claim, word] of [['aud', 'audience'], ['nbf', 'not valid yet'], ['sub', 'claim sub'], ['<script>', 'claim set']] as const) expect(tokenRefusal({ code: 'ERR_JWT_CLAIM_VALIDATION_FAILED', claim })).toContain(word);
    for (const code of ['ERR_JWS_SIGNATURE_VERIFICATION_FAILED', 'ERR_JWKS_NO_MATCHING_KEY', 'ERR_JOSE_ALG_NOT_ALLOWED', undefined]) expect(tokenRefusal(code === undefined ? {} : { code })).toBeUndefined();
  });
});
