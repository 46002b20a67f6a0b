import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';

export type SigningKey = { readonly privateKey: KeyObject; readonly publicKey: KeyObject };

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The Ed25519 key pair that belongs to a secret of 32 bytes; the same in every process that knows it. */
export const signingKeyOf = (secret: Buffer): SigningKey => {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'run-token', 32));
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
};
