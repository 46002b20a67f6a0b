export { isIssuer } from './issuer-url.policy';
export type { OidcOptions } from './oidc-issuers';
export { OidcModule } from './oidc.module';
export { audiencesOf } from './protected-resource.view';
export { serveProtectedResource } from './serve-protected-resource';
