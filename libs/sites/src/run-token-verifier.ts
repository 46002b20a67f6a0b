/** What a token says, once its signature and its times are proven. */
export type VerifiedToken = { readonly principalId: string; readonly siteId: string; readonly runId: string };

/** Knows the tokens that are issued for single runs. */
export abstract class RunTokenVerifier {
  /** `null` for anything else, and for a token whose time is up. */
  abstract verify(token: string, now: Date): Promise<VerifiedToken | null>;
}
