export { HttpTools, type HttpToolsParts } from './http-tools';
export { signatureHeaders } from './signature';
export { SIGNING_SECRET, SigningSecret, VaultSigningSecret } from './signing-secret';
