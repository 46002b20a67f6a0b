import { isSignedBy } from './checkpoint-key';
import { chainAfter, rootOfPath, sha256OfText } from './digest';
import { isInclusionProof } from './proof';

export type ProofVerdict =
  | { readonly ok: true; readonly position: string; readonly signedAt: string; readonly event: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly detail: string };

const no = (detail: string): ProofVerdict => ({ ok: false, detail });

/**
 * Checks a proof offline: no server, no database. The key must come from whom the verifier trusts, never along with the proof.
 * A wrong proof is an answer, not an error; a text that is no Ed25519 public key is a TypeError.
 */
export const verifyProof = async (proof: unknown, publicKeyPem: string): Promise<ProofVerdict> => {
  if (!isInclusionProof(proof)) return no('This is no proof of the known format.');
  const { batch, checkpoint } = proof;

  const leaf = await sha256OfText(proof.event);
  if (leaf !== proof.leaf) return no('The event is not the one that was hashed.');
  const event = eventOf(proof.event);
  if (!event) return no('The event is not an event of the log.');
  const [position, first, last] = [BigInt(event.position), BigInt(batch.first), BigInt(batch.last)];
  if (position < first || position > last) return no('The event is not one of the batch.');
  const root = await rootOfPath(leaf, Number(position - first), Number(last - first + 1n), proof.path);
  if (root !== batch.root) return no('The path does not lead from the event to the root of its batch.');

  let chain = await chainAfter(batch.previous, batch);
  if (chain !== batch.chain) return no('The link of the batch is not the hash of its parts.');
  let end = last;
  for (const link of proof.links) {
    if (BigInt(link.first) !== end + 1n || BigInt(link.last) < BigInt(link.first)) return no('The links do not follow each other.');
    chain = await chainAfter(chain, link);
    end = BigInt(link.last);
  }
  if (end !== BigInt(checkpoint.position) || chain !== checkpoint.chain) return no('The links do not lead to the signed checkpoint.');
  if (!(await isSignedBy(checkpoint, publicKeyPem))) return no('The checkpoint was not signed by this key.');
  return { ok: true, position: event.position, signedAt: checkpoint.signedAt, event: event.members };
};

const eventOf = (text: string): { readonly position: string; readonly members: Readonly<Record<string, unknown>> } | null => {
  try {
    const members = JSON.parse(text) as Readonly<Record<string, unknown>> | null;
    const position = members?.['position'];
    return members && typeof position === 'string' && /^[1-9]\d{0,18}$/.test(position) ? { position, members } : null;
  } catch {
    return null;
  }
};
