/** Fixed for ever: checkpoints and leases are kept per slice, so another number would re-key all of them. */
export const SLICES = 32;

/**
 * The slice of a stream: FNV-1a over the UTF-16 code units, folded to five bits.
 * Events of one stream always meet in one slice, so a consumer that works slice by slice keeps the order of every stream.
 */
export const sliceOf = (streamId: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < streamId.length; i++) hash = Math.imul(hash ^ streamId.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 8) ^ (hash >>> 16) ^ (hash >>> 24)) & (SLICES - 1);
};
