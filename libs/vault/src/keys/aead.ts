import { createCipheriv, createDecipheriv, createSecretKey, randomFillSync, type KeyObject } from 'node:crypto';

export const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Drawing random bytes is a system call: 256 IVs at a time, each used once. */
const chance = Buffer.alloc(256 * IV_BYTES);
let drawn = chance.length;
const freshIv = (): Buffer => {
  if (drawn === chance.length) {
    randomFillSync(chance);
    drawn = 0;
  }
  drawn += IV_BYTES;
  return chance.subarray(drawn - IV_BYTES, drawn);
};

/** A key that is used again and again is kept as an object, which saves making one each time. */
export const keyObject = (key: Buffer): KeyObject => createSecretKey(key);

const asObject = (key: Buffer | KeyObject): KeyObject => (Buffer.isBuffer(key) ? keyObject(key) : key);

/**
 * AES-256-GCM: a fresh random IV, the tag, the ciphertext. `about` is authenticated with it, so that a box fits only where it was made for.
 * As a key object, because a cipher of Node 24 takes 22 instead of 6 µs with plain bytes: it asks them twice, the slow way, whether they are one.
 */
export const encrypt = (key: Buffer | KeyObject, plain: Buffer, about: string): Buffer => {
  const iv = freshIv();
  const cipher = createCipheriv('aes-256-gcm', asObject(key), iv).setAAD(Buffer.from(about));
  const body = [cipher.update(plain), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...body]);
};

/** Throws when the key, the box or what it is about is another one. */
export const decrypt = (key: Buffer | KeyObject, box: Buffer, about: string): Buffer => {
  const decipher = createDecipheriv('aes-256-gcm', asObject(key), box.subarray(0, IV_BYTES)).setAAD(Buffer.from(about)).setAuthTag(box.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(box.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
};
