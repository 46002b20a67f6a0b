import { ECDH } from 'node:crypto';
import type { PushSubscription } from './settings.schema';

/** RFC 8291, 3.2. */
const SECRET_BYTES = 16;
/** Uncompressed, as browsers write it. */
const POINT_BYTES = 65;

/** What is wrong with the keys of a browser. No message could ever be encrypted for them, so they are refused before they are kept. */
export const browserKeyProblems = ({ keys: { p256dh, auth } }: PushSubscription): { readonly pointer: string; readonly detail: string }[] => [
  ...(isPoint(p256dh) ? [] : [{ pointer: '/keys/p256dh', detail: `No point of the curve P-256: ${POINT_BYTES} bytes, uncompressed, as base64url` }]),
  ...(Buffer.from(auth, 'base64url').length === SECRET_BYTES ? [] : [{ pointer: '/keys/auth', detail: `${SECRET_BYTES} bytes as base64url` }]),
];

const isPoint = (key: string): boolean => {
  const bytes = Buffer.from(key, 'base64url');
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    return bytes.length === POINT_BYTES;
  } catch {
    return false;
  }
};
