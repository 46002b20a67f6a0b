import { sha256 } from './digest';
import type { SignedCheckpoint } from './proof';

const base64Bytes = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

const derOf = (pem: string): Uint8Array<ArrayBuffer> => {
  const body = /-----BEGIN PUBLIC KEY-----([A-Za-z0-9+/=\s]+)-----END PUBLIC KEY-----/.exec(pem)?.[1];
  if (body === undefined) throw new TypeError('A public key in PEM is expected: -----BEGIN PUBLIC KEY-----');
  return base64Bytes(body.replace(/\s/g, ''));
};

/** The canonical text that a signature covers. */
const signedText = ({ chain, position, signedAt }: SignedCheckpoint): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(
    `{"chain":${JSON.stringify(chain)},"position":${JSON.stringify(position)},"signedAt":${JSON.stringify(signedAt)}}`,
  );

/** Whether this key signed the checkpoint. Throws a TypeError for a text that is no Ed25519 public key. */
export const isSignedBy = async (checkpoint: SignedCheckpoint, publicKeyPem: string): Promise<boolean> => {
  const der = derOf(publicKeyPem);
  const key = await crypto.subtle.importKey('spki', der, { name: 'Ed25519' }, false, ['verify']).catch((cause: unknown) => {
    throw new TypeError('This is no Ed25519 public key', { cause });
  });
  if (checkpoint.keyId !== (await sha256(der)).slice(0, 16)) return false;
  // The canonical form of base64 only: two spellings of one signature would make two proofs of one.
  if (!/^[A-Za-z0-9+/]{85}[AQgw]==$/.test(checkpoint.signature)) return false;
  return crypto.subtle.verify({ name: 'Ed25519' }, key, base64Bytes(checkpoint.signature), signedText(checkpoint));
};
