export { NamedSecrets } from './named-secrets';
export { signatureHeaders } from './signature';
export { SignedWebhook, type SignedWebhookParts, type Webhook, type WebhookOutcome } from './signed-webhook';
export { SIGNING_SECRET, SigningSecret, VaultSigningSecret } from './signing-secret';
