import { hash } from 'node:crypto';

/**
 * sha256 as a text of 32 one-byte characters (`latin1`). Node builds such a text in 0.3 µs for 65 bytes; a Buffer of its own takes
 * 1.7 µs, which would halve the rate of a verification. Compare it with `===`, write it as `latin1`.
 */
export type Digest = string;

export const sha256 = (content: string | Uint8Array): Digest => hash('sha256', content, 'binary');

export const digestOf = (bytes: Buffer): Digest => bytes.toString('latin1', 0, 32);
export const bytesOf = (digest: Digest): Buffer => Buffer.from(digest, 'latin1');
