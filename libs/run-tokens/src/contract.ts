import type { VerifiedToken } from '@app/sites/contract';

export type IssuedToken = { readonly token: string; readonly expiresAt: string };

/** Issues tokens that are good for one run and for a short time. */
export abstract class RunTokenIssuer {
  abstract issue(of: VerifiedToken, ttlSeconds: number, now: Date): Promise<IssuedToken>;
}
