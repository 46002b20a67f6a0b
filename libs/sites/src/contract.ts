export { ChangeApiKey, ChangeApiKeyBody, IssueApiKey, IssueApiKeyBody, IssuedKey, RevokeApiKey, RotateApiKey } from './api-keys/api-keys.command';
export { changeApiKey, issueApiKey, revokeApiKey } from './api-keys/api-keys.decide';
export { ApiKeyView } from './api-keys/api-key.view';
export { CreatedSite, CreateSite, CreateSiteBody } from './create-site/create-site.command';
export { principalEvents, type PrincipalEvent } from './principal.events';
export { capabilitiesOf, isUsable, principal, type PrincipalState } from './principal.state';

/** What a token says, once its signature and its times are proven. */
export type VerifiedToken = { readonly principalId: string; readonly siteId: string; readonly runId: string };

/** Knows the tokens that are issued for single runs. */
export abstract class RunTokenVerifier {
  /** `null` for anything else, and for a token whose time is up. */
  abstract verify(token: string, now: Date): Promise<VerifiedToken | null>;
}
