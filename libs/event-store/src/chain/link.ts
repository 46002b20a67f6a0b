import { bytesOf, sha256 } from './sha256';

/** What the first batch is chained to. */
export const GENESIS = Buffer.alloc(32);

/** The chain after a batch: sha256(previous ‖ root ‖ first ‖ last), the positions as 8-byte big-endian signed integers. */
export const chainAfter = (previous: Buffer, root: Buffer, first: bigint, last: bigint): Buffer => {
  const block = Buffer.allocUnsafe(80);
  block.set(previous, 0);
  block.set(root, 32);
  block.writeBigInt64BE(first, 64);
  block.writeBigInt64BE(last, 72);
  return bytesOf(sha256(block));
};
