import { CheckpointKey, fromCheckpointJson, type CheckpointJson } from './checkpoint';
import { leafOf } from './canonical-event';
import { chainAfter } from './link';
import { rootOfPath } from './merkle';

/** Positions as texts, hashes in hex: one batch of the chain. */
export type ProofLink = { readonly first: string; readonly last: string; readonly root: string };

/**
 * Shows with nothing but the signer's public key that an event is in the log: its leaf leads along `path` to the root of its batch, and
 * from there along `links` to a chain head that was signed. `event` is the canonical text, the very bytes that were hashed.
 */
export type Proof = {
  readonly format: 'harness-proof-1';
  readonly event: string;
  readonly leaf: string;
  readonly path: readonly string[];
  readonly batch: ProofLink & { readonly previous: string; readonly chain: string };
  readonly links: readonly ProofLink[];
  readonly checkpoint: CheckpointJson;
};

export type ProofVerdict =
  | { readonly ok: true; readonly position: bigint; readonly event: Readonly<Record<string, unknown>>; readonly signedAt: string }
  | { readonly ok: false; readonly detail: string };

const no = (detail: string): ProofVerdict => ({ ok: false, detail });

/** Checks a proof from anywhere; pure, offline, no database. `publicKeyPem` must come from whom the verifier trusts, never with the proof. */
export const verifyProof = (value: unknown, publicKeyPem: string): ProofVerdict => {
  const proof = read(value);
  if (!proof) return no('This is no proof of the known format.');
  const { event, batch, checkpoint } = proof;

  const leaf = leafOf(event);
  if (!leaf.equals(proof.leaf)) return no('The event is not the one that was hashed.');
  const parsed = parse(event);
  const position = parsed && positionOf(parsed['position']);
  if (!parsed || position === null || position < batch.first || position > batch.last) return no('The event is not one of the batch.');
  const root = rootOfPath(leaf, Number(position - batch.first), Number(batch.last - batch.first + 1n), proof.path);
  if (!root?.equals(batch.root)) return no('The path does not lead from the event to the root of its batch.');

  let chain = chainAfter(batch.previous, root, batch.first, batch.last);
  if (!chain.equals(batch.chain)) return no('The link of the batch is not the hash of its parts.');
  let last = batch.last;
  for (const link of proof.links) {
    if (link.first !== last + 1n || link.last < link.first) return no('The links do not follow each other.');
    chain = chainAfter(chain, link.root, link.first, link.last);
    last = link.last;
  }
  if (last !== checkpoint.position || chain.toString('hex') !== checkpoint.chain) return no('The links do not lead to the signed checkpoint.');
  if (!new CheckpointKey(publicKeyPem).signed(checkpoint)) return no('The checkpoint was not signed by this key.');
  return { ok: true, position, event: parsed, signedAt: checkpoint.signedAt };
};

const HEX_32 = /^[0-9a-f]{64}$/;
const POSITION = /^[1-9][0-9]{0,18}$/;

const positionOf = (value: unknown): bigint | null => (typeof value === 'string' && POSITION.test(value) ? BigInt(value) : null);
const digestOf = (value: unknown): Buffer | null => (typeof value === 'string' && HEX_32.test(value) ? Buffer.from(value, 'hex') : null);
const membersOf = (value: unknown): Readonly<Record<string, unknown>> | null =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : null;

const linkOf = (value: unknown) => {
  const { first, last, root } = membersOf(value) ?? {};
  const link = { first: positionOf(first), last: positionOf(last), root: digestOf(root) };
  return link.first !== null && link.last !== null && link.root ? { first: link.first, last: link.last, root: link.root } : null;
};

/** A list whose every element can be read, or null. */
const listOf = <T>(value: unknown, element: (value: unknown) => T | null): readonly T[] | null => {
  if (!Array.isArray(value)) return null;
  const elements = value.map(element);
  return elements.includes(null) ? null : (elements as T[]);
};

const read = (value: unknown) => {
  const proof = membersOf(value);
  const members = membersOf(proof?.['batch']);
  if (proof?.['format'] !== 'harness-proof-1' || typeof proof['event'] !== 'string' || !members) return null;
  const link = linkOf(members);
  const [leaf, previous, chain] = [digestOf(proof['leaf']), digestOf(members['previous']), digestOf(members['chain'])];
  const path = listOf(proof['path'], digestOf);
  const links = listOf(proof['links'], linkOf);
  const checkpoint = fromCheckpointJson(proof['checkpoint']);
  if (!leaf || !link || !previous || !chain || !path || !links || !checkpoint) return null;
  return { event: proof['event'], leaf, path, batch: { ...link, previous, chain }, links, checkpoint };
};

const parse = (text: string): Readonly<Record<string, unknown>> | null => {
  try {
    return membersOf(JSON.parse(text));
  } catch {
    return null;
  }
};
