import type { Principal } from '@app/kernel';

/** Turns a key into a principal. The capability that keeps the keys implements it. */
export abstract class Authenticator {
  /** `null` for a key that is unknown, expired or revoked; rejects only when the keys cannot be read at all. */
  abstract authenticate(key: string): Promise<Principal | null>;
}
