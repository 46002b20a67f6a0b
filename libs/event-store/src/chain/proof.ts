import { canonicalEvent } from './canonical-event';
import { toCheckpointJson } from './checkpoint';
import { checkpointCovering } from './checkpoint-table';
import { findEvent } from './find-event';
import { inclusionPath } from './merkle';
import type { Proof, ProofLink } from './proof-check';
import { storedEvents, type Queryable } from './stored-events';

/** `unsigned`: the event is in the log, but no checkpoint covers it yet; sign one and ask again. */
export type ProofResult = { readonly ok: true; readonly proof: Proof } | { readonly ok: false; readonly reason: 'unknown' | 'unsigned' };

type Batch = { first: string; last: string; root: string; previous: string; chain: string };

/** The proof of the event at a position. Nothing is recomputed that the proof itself shows: a proof out of a damaged log does not verify. */
export const proofAt = async (db: Queryable, position: bigint): Promise<ProofResult> => {
  const [event] = await storedEvents(db, [position]);
  const batch = await batchOf(db, position);
  if (!event || !batch) return { ok: false, reason: 'unknown' };
  const checkpoint = await checkpointCovering(db, BigInt(batch.last));
  if (!checkpoint) return { ok: false, reason: 'unsigned' };
  const { last, first, root, previous, chain } = batch;
  const leaves = await leavesOf(db, first, last);
  const index = Number(position - BigInt(first));
  return {
    ok: true,
    proof: {
      format: 'harness-proof-1',
      event: canonicalEvent(event),
      leaf: event.leaf.toString('hex'),
      path: index < leaves.length ? inclusionPath(leaves, index).map((node) => node.toString('hex')) : [],
      batch: { first, last, root, previous, chain },
      links: await linksBetween(db, last, checkpoint.position),
      checkpoint: toCheckpointJson(checkpoint),
    },
  };
};

/** The proof of the event with an id, wherever it is in the log. */
export const proofOf = async (db: Queryable, eventId: string): Promise<ProofResult> => {
  const position = await findEvent(db, eventId);
  return position === null ? { ok: false, reason: 'unknown' } : proofAt(db, position);
};

const batchOf = async (db: Queryable, position: bigint): Promise<Batch | undefined> =>
  (
    await db.query<Batch>(
      `SELECT first_position AS first, last_position AS last, encode(root, 'hex') AS root, encode(previous, 'hex') AS previous, encode(chain, 'hex') AS chain
       FROM es_batch WHERE first_position <= $1 ORDER BY first_position DESC LIMIT 1`,
      [String(position)],
    )
  ).rows.find(({ last }) => BigInt(last) >= position);

const leavesOf = async (db: Queryable, first: string, last: string): Promise<readonly Buffer[]> =>
  (await db.query<{ leaf: Buffer }>('SELECT leaf FROM es_event WHERE position BETWEEN $1 AND $2 ORDER BY position', [first, last])).rows.map(({ leaf }) => leaf);

const linksBetween = async (db: Queryable, after: string, upTo: bigint): Promise<readonly ProofLink[]> =>
  (
    await db.query<ProofLink>(
      `SELECT first_position AS first, last_position AS last, encode(root, 'hex') AS root
       FROM es_batch WHERE first_position > $1 AND first_position <= $2 ORDER BY first_position`,
      [after, String(upTo)],
    )
  ).rows;
