import type { ProofLink } from './proof';

/** Hashes here are hex texts; WebCrypto does the work, so all of it runs in a browser too. */
export type Hex = string;

const bytesOf = (hex: Hex): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) => parseInt(hex.slice(index * 2, index * 2 + 2), 16));
const hexOf = (bytes: Uint8Array): Hex => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const joined = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
};

export const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<Hex> =>
  hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));

export const sha256OfText = (text: string): Promise<Hex> => sha256(new TextEncoder().encode(text));

const innerNode = (left: Hex, right: Hex): Promise<Hex> => sha256(joined(Uint8Array.of(1), bytesOf(left), bytesOf(right)));

/** The root that a path leads to, or null when it cannot belong to that leaf of a batch of that size. An odd last node moves up unchanged. */
export const rootOfPath = async (leaf: Hex, index: number, size: number, path: readonly Hex[]): Promise<Hex | null> => {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size) return null;
  let node = leaf;
  let used = 0;
  for (let at = index, width = size; width > 1; at = Math.floor(at / 2), width = Math.ceil(width / 2)) {
    if (at % 2 === 0 && at === width - 1) continue;
    const sibling = path[used++];
    if (sibling === undefined) return null;
    node = at % 2 === 0 ? await innerNode(node, sibling) : await innerNode(sibling, node);
  }
  return used === path.length ? node : null;
};

const int64 = (position: string): Uint8Array => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt(position));
  return bytes;
};

/** The chain after a batch: sha256(previous ‖ root ‖ first ‖ last), positions as 8 bytes, big-endian. */
export const chainAfter = (previous: Hex, { root, first, last }: ProofLink): Promise<Hex> =>
  sha256(joined(bytesOf(previous), bytesOf(root), int64(first), int64(last)));
