/** Positions as texts, hashes in hex: one batch of the log's chain. */
export type ProofLink = { readonly first: string; readonly last: string; readonly root: string };

/** A chain head that the server has signed: Ed25519 in base64; `keyId` names the key pair. */
export type SignedCheckpoint = {
  readonly position: string;
  readonly chain: string;
  readonly signedAt: string;
  readonly keyId: string;
  readonly signature: string;
};

/**
 * Shows with nothing but the signer's public key that an event is in the log. `event` is the very text that was hashed; `path` leads from it
 * to the root of its batch, `links` from there to the signed checkpoint.
 */
export type InclusionProof = {
  readonly format: 'harness-proof-1';
  readonly event: string;
  readonly leaf: string;
  readonly path: readonly string[];
  readonly batch: ProofLink & { readonly previous: string; readonly chain: string };
  readonly links: readonly ProofLink[];
  readonly checkpoint: SignedCheckpoint;
};

const HEX_32 = /^[0-9a-f]{64}$/;
const POSITION = /^[1-9]\d{0,18}$/;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isHash = (value: unknown): value is string => typeof value === 'string' && HEX_32.test(value);
const isPosition = (value: unknown): value is string => typeof value === 'string' && POSITION.test(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isLink = (value: unknown): value is ProofLink =>
  isRecord(value) && isPosition(value['first']) && isPosition(value['last']) && isHash(value['root']);
const isCheckpoint = (value: unknown): value is SignedCheckpoint =>
  isRecord(value) &&
  isPosition(value['position']) &&
  isHash(value['chain']) &&
  isText(value['signedAt']) &&
  isText(value['keyId']) &&
  isText(value['signature']);

/** Whether a value from outside has the form of a proof. Says nothing about what it proves. */
export const isInclusionProof = (value: unknown): value is InclusionProof => {
  if (!isRecord(value) || value['format'] !== 'harness-proof-1' || !isText(value['event']) || !isHash(value['leaf'])) return false;
  const { path, links, batch, checkpoint } = value;
  if (!isLink(batch)) return false;
  const { previous, chain } = batch as unknown as Readonly<Record<string, unknown>>;
  return (
    Array.isArray(path) &&
    path.every(isHash) &&
    Array.isArray(links) &&
    links.every(isLink) &&
    isHash(previous) &&
    isHash(chain) &&
    isCheckpoint(checkpoint)
  );
};
