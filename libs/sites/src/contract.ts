export { ChangeApiKey, ChangeApiKeyBody, IssueApiKey, IssueApiKeyBody, IssuedKey, RevokeApiKey, RotateApiKey } from './api-keys/api-keys.command';
export { changeApiKey, issueApiKey, revokeApiKey } from './api-keys/api-keys.decide';
export { ApiKeyView } from './api-keys/api-key.view';
export { CreatedSite, CreateSite, CreateSiteBody } from './create-site/create-site.command';
export { principalEvents, type PrincipalEvent } from './principal.events';
export { capabilitiesOf, isUsable, principal, type PrincipalState } from './principal.state';
export { RunTokenVerifier, type VerifiedToken } from './run-token-verifier';
