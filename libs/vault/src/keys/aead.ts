import { createCipheriv, createDecipheriv, createSecretKey, randomFillSync } from 'node:crypto';

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

/**
 * AES-256-GCM: a fresh random IV, the tag, the ciphertext. `about` is authenticated with it, so that a box fits only where it was made for.
 * As a key object, because a cipher of Node 24 takes 22 instead of 6 µs with plain bytes: it asks them twice, the slow way, whether they are one.
 */
export const encrypt = (key: Buffer, plain: Buffer, about: string): Buffer => {
  const iv = freshIv();
  const cipher = createCipheriv('aes-256-gcm', createSecretKey(key), iv).setAAD(Buffer.from(about));
  const body = [cipher.update(plain), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...body]);
};

/** Throws when the key, the box or what it is about is another one. */
export const decrypt = (key: Buffer, box: Buffer, about: string): Buffer => {
  const decipher = createDecipheriv('aes-256-gcm', createSecretKey(key), box.subarray(0, IV_BYTES)).setAAD(Buffer.from(about)).setAuthTag(box.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(box.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]);
};
