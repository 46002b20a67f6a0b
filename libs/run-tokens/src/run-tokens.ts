import { randomUUID } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { RunTokenVerifier, type VerifiedToken } from '@app/sites/contract';
import type { Vault } from '@app/vault';
import type { IssuedToken, RunTokenIssuer } from './contract';
import { signingKeyOf, type SigningKey } from './signing-key';

const ISSUER = 'agent-harness';
const ALGORITHM = 'EdDSA';
/** The name under which the vault keeps the secret that the key pair is made from. */
const KEPT_AS = 'run-tokens';
const SITE = 'site';
/** Three parts of base64url; nothing longer is looked at. */
const JWT = /^[\w-]{1,500}\.[\w-]{1,1500}\.[\w-]{1,200}$/;

/**
 * Tokens that are good for one run and for a short time: JWTs signed with Ed25519, whose audience is the run and whose subject the principal they were
 * issued to. The secret behind the key is in the vault, so that every process on the database signs and proves alike.
 */
export class RunTokens extends RunTokenVerifier implements RunTokenIssuer {
  private key: Promise<SigningKey> | undefined;

  constructor(private readonly vault: Pick<Vault, 'pepper'>) {
    super();
  }

  async issue({ principalId, siteId, runId }: VerifiedToken, ttlSeconds: number, now: Date): Promise<IssuedToken> {
    const from = Math.floor(now.getTime() / 1000);
    const until = from + ttlSeconds;
    const token = await new SignJWT({ [SITE]: siteId })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setSubject(principalId)
      .setAudience(runId)
      .setIssuedAt(from)
      .setExpirationTime(until)
      .setJti(randomUUID())
      .sign((await this.keys()).privateKey);
    return { token, expiresAt: new Date(until * 1000).toISOString() };
  }

  override async verify(token: string, now: Date): Promise<VerifiedToken | null> {
    if (!JWT.test(token)) return null;
    const { publicKey } = await this.keys();
    try {
      const { payload } = await jwtVerify(token, publicKey, { algorithms: [ALGORITHM], issuer: ISSUER, currentDate: now, requiredClaims: ['sub', 'aud', 'exp', 'jti', SITE] });
      const { sub, aud, [SITE]: siteId } = payload;
      return typeof sub === 'string' && typeof aud === 'string' && typeof siteId === 'string' ? { principalId: sub, runId: aud, siteId } : null;
    } catch {
      return null;
    }
  }

  private keys(): Promise<SigningKey> {
    const known = (this.key ??= this.vault.pepper(KEPT_AS).then(signingKeyOf));
    known.catch(() => (this.key = undefined));
    return known;
  }
}
