import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { idOfText } from '@app/event-store';

const ISSUED = /^hk_([0-9a-f]{32})_[A-Za-z0-9_-]{43}$/;
const MAX_LENGTH = 512;

/** A key as its holder sees it, once: it names its id, so that authentication needs no lookup table. 256 random bits are the secret. */
export const newKey = (keyId: string): string => `hk_${keyId.slice('key_'.length)}_${randomBytes(32).toString('base64url')}`;

/** The id a key belongs to. A key that was not issued here (the operator's bootstrap key) has an id made from its hash. */
export const keyIdOf = (key: string): string | undefined => {
  if (!key.startsWith('hk_') || key.length > MAX_LENGTH) return undefined;
  const issued = ISSUED.exec(key)?.[1];
  return issued === undefined ? idOfText('key', hashOf(key)) : `key_${issued}`;
};

export const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

/** Constant time: both sides are hashes of equal length. */
export const matches = (key: string, secretHash: string): boolean => timingSafeEqual(Buffer.from(hashOf(key), 'hex'), Buffer.from(secretHash, 'hex'));
