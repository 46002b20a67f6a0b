import type { Identity } from './principal.state';

export { ChangeApiKey, ChangeApiKeyBody, IssueApiKey, IssueApiKeyBody, IssuedKey, RevokeApiKey, RotateApiKey } from './api-keys/api-keys.command';
export { changeApiKey, issueApiKey, revokeApiKey } from './api-keys/api-keys.decide';
export { ListApiKeys } from './api-keys/list-api-keys.query';
export { ApiKeyView } from './api-keys/api-key.view';
export { ChangeUser, ChangeUserBody } from './change-user/change-user.command';
export { CreatedSite, CreateSite, CreateSiteBody } from './create-site/create-site.command';
export { InviteUser, InviteUserBody } from './invite-user/invite-user.command';
export { principalEvents, type PrincipalEvent } from './principal.events';
export { capabilitiesOf, isUsable, principal, type Identity, type KnownPrincipal, type PrincipalState } from './principal.state';
export { RemovedUser, RemoveUser } from './remove-user/remove-user.command';
export { GetUser, ListUsers } from './user-list/user-queries.query';
export { UserView } from './user-list/user.view';
export { userEvents, type UserEvent } from './user.events';
export { user, type KnownUser, type User } from './user.state';

/** What an issuer says of somebody, once the token is proven. `email` only if the issuer has verified it. */
export type VerifiedIdentity = Identity & { readonly email?: string };

/** Knows the tokens of the issuers by which people sign in. */
export abstract class IdentityVerifier {
  /** `null` for anything else. Rejects with a problem when the issuer is out of reach, or when the token is genuine and not for now or not for here. */
  abstract verify(token: string, now: Date): Promise<VerifiedIdentity | null>;
}

/** Every site of the installation. */
export abstract class SiteDirectory {
  abstract all(): Promise<readonly string[]>;
}

/** What a token says, once its signature and its times are proven. */
export type VerifiedToken = { readonly principalId: string; readonly siteId: string; readonly runId: string };

/** Knows the tokens that are issued for single runs. */
export abstract class RunTokenVerifier {
  /** `null` for anything else, and for a token whose time is up. */
  abstract verify(token: string, now: Date): Promise<VerifiedToken | null>;
}
