import type { Principal } from '@app/kernel';

/** Turns a key or a token into a principal. The capability that keeps the keys implements it. */
export abstract class Authenticator {
  /**
   * `null` for a key that is unknown, expired or revoked. `siteId` is the site that the request names: a person may be somebody else on each of theirs.
   * Rejects when the keys cannot be read at all, and with the problem of a token that is genuine and opens nothing.
   */
  abstract authenticate(key: string, siteId?: string): Promise<Principal | null>;
}
