import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { canonicalJson } from './canonical';

/** What a signature covers: the chain after the batch that ends at `position`, as hex, and when that was signed (ISO 8601, UTC). */
export type CheckpointBody = { readonly position: bigint; readonly chain: string; readonly signedAt: string };

/** `keyId` names the key pair, `signature` is Ed25519 in base64. */
export type Checkpoint = CheckpointBody & { readonly keyId: string; readonly signature: string };

/** A checkpoint in JSON: a line of the checkpoint file, a part of a proof, an answer of the API. */
export type CheckpointJson = Omit<Checkpoint, 'position'> & { readonly position: string };

/** The bytes that are signed. */
export const signedText = ({ chain, position, signedAt }: CheckpointBody): Buffer =>
  Buffer.from(canonicalJson({ chain, position: String(position), signedAt }));

/** A key pair is named by the first 16 hex digits of the sha256 of its public key in DER. */
export const keyIdOf = (publicKey: KeyObject): string =>
  createHash('sha256').update(publicKey.export({ type: 'spki', format: 'der' })).digest('hex').slice(0, 16);

/** Checks signatures; reading the key once matters when there are thousands of checkpoints. */
export class CheckpointKey {
  private readonly key: KeyObject;
  readonly id: string;

  constructor(publicKeyPem: string) {
    this.key = createPublicKey(publicKeyPem);
    this.id = keyIdOf(this.key);
  }

  signed(checkpoint: Checkpoint): boolean {
    const signature = Buffer.from(checkpoint.signature, 'base64');
    if (checkpoint.keyId !== this.id || signature.toString('base64') !== checkpoint.signature) return false;
    return verify(null, signedText(checkpoint), this.key, signature);
  }
}

export const toCheckpointJson = ({ position, chain, signedAt, keyId, signature }: Checkpoint): CheckpointJson => ({
  position: String(position), chain, signedAt, keyId, signature,
});

const HEX_32 = /^[0-9a-f]{64}$/;
const POSITION = /^[1-9][0-9]{0,18}$/;

/** The checkpoint in a value from outside, or null when it has another form. Says nothing about the signature. */
export const fromCheckpointJson = (value: unknown): Checkpoint | null => {
  if (typeof value !== 'object' || value === null) return null;
  const { position, chain, signedAt, keyId, signature } = value as Record<keyof Checkpoint, unknown>;
  if (typeof position !== 'string' || !POSITION.test(position) || typeof chain !== 'string' || !HEX_32.test(chain)) return null;
  if (typeof signedAt !== 'string' || typeof keyId !== 'string' || typeof signature !== 'string') return null;
  return { position: BigInt(position), chain, signedAt, keyId, signature };
};
