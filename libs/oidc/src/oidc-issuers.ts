import { Logger } from '@nestjs/common';
import { ProblemException } from '@app/http';
import { IdentityVerifier, type VerifiedIdentity } from '@app/sites/contract';
import { decodeJwt, jwtVerify } from 'jose';
import { identityOfClaims } from './identity-of-claims.policy';
import { IssuerKeys } from './issuer-keys';
import { IssuerUnavailable } from './issuer-unavailable';
import { tokenRefusal } from './token-refusal.policy';

/** Signatures whose keys may be public. None of the token's choosing: `none` and the HMAC family are not here, and never will be. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
/** Clocks of two machines differ. */
const TOLERANCE_S = 30;
const RETRY_AFTER_S = 5;

/** `audiences`: a token must be for one of them. Issuers exactly as they name themselves in `iss`. */
export type OidcOptions = { readonly issuers: readonly string[]; readonly audiences: readonly string[] };

/** Proves tokens of the configured issuers by the keys that these publish. */
export class OidcIssuers extends IdentityVerifier {
  private readonly log = new Logger('Oidc');
  private readonly keys: ReadonlyMap<string, IssuerKeys>;

  constructor(private readonly options: OidcOptions) {
    super();
    this.keys = new Map(options.issuers.map((issuer) => [issuer, new IssuerKeys(issuer, (sentence) => this.log.warn(sentence))]));
  }

  override async verify(token: string, now: Date): Promise<VerifiedIdentity | null> {
    const issuer = issuerNamedIn(token);
    const keys = issuer === undefined ? undefined : this.keys.get(issuer);
    if (issuer === undefined || !keys) return null;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys.find, {
        algorithms: ALGORITHMS, issuer, audience: [...this.options.audiences], currentDate: now, clockTolerance: TOLERANCE_S, requiredClaims: ['sub', 'exp'],
      });
      return identityOfClaims(issuer, protectedHeader.typ, payload);
    } catch (error) {
      if (error instanceof IssuerUnavailable) throw new ProblemException(503, 'UNAVAILABLE', 'The issuer of this token cannot be reached, so the token cannot be checked at the moment. API keys go on working.', { retryAfter: RETRY_AFTER_S, kept: false });
      const why = tokenRefusal(error as { readonly code?: string; readonly claim?: string });
      if (why !== undefined) throw ProblemException.unauthenticated(why);
      return null;
    }
  }
}

/** Says only whose keys to try. */
const issuerNamedIn = (token: string): string | undefined => {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
};
