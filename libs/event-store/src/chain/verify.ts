import type { Pool, PoolClient } from 'pg';
import { fault, type ChainFault, type ChainVerdict } from './chain-verdict';
import { ChainWalk, type Batch, type Start } from './chain-walk';
import { CheckpointKey, type Checkpoint } from './checkpoint';
import { storedCheckpoints } from './checkpoint-table';
import { batchEndAt, copyBatches, copyEvents, extentOf } from './copy-out';
import { explain } from './explain';
import { GENESIS } from './link';
import { digestOf } from './sha256';

export type VerifyOptions = {
  /** Begins behind the last batch that ends at or before this position, which is then taken on trust. Default 0: from the beginning. */
  readonly after?: bigint;
  /** Checkpoints from outside of the database; at the same position they win over the table's. */
  readonly checkpoints?: readonly Checkpoint[];
  /** PEM of the keys that may have signed. Without one the chain is compared with the checkpoints but no signature is checked. */
  readonly publicKeys?: readonly string[];
  readonly onProgress?: (progress: { readonly verified: bigint; readonly total: bigint }) => void;
  /** Aborting rejects with the signal's reason. */
  readonly signal?: AbortSignal;
};

/** One round trip reads 50 000 events: large enough that COPY's start costs nothing, and the longest that an abort has to wait is 0.2 s. */
const EVENTS_PER_COPY = 50_000n;
const BATCHES_PER_COPY = 10_000;

/**
 * Recomputes every leaf, root and link of the log up to its head at the time of the call, and compares them with the signed checkpoints.
 * Memory stays flat. Rows above that head, which others append meanwhile, are left alone.
 */
export const verifyChain = async (pool: Pick<Pool, 'connect'>, options: VerifyOptions = {}): Promise<ChainVerdict> => {
  const client = await pool.connect();
  try {
    // Index order without a sort, whatever the statistics say; READ COMMITTED keeps no snapshot open between two reads.
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED READ ONLY; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off');
    return await verifyWith(client, options);
  } finally {
    await client.query('ROLLBACK').then(() => client.release(), (error: Error) => client.release(error));
  }
};

const verifyWith = async (client: PoolClient, { after = 0n, checkpoints = [], publicKeys = [], onProgress, signal }: VerifyOptions): Promise<ChainVerdict> => {
  const stored = await storedCheckpoints(client);
  const extent = await extentOf(client);
  const trusted = after > 0n ? await batchEndAt(client, after) : null;
  const start: Start = trusted ?? { position: 0n, chain: digestOf(GENESIS) };
  if (extent.firstEvent < 1n) return fault(extent.firstEvent, 'inserted_event', `Positions begin at 1, but there is an event at ${extent.firstEvent}.`);
  const keys = publicKeys.map((pem) => new CheckpointKey(pem));
  const walk = new ChainWalk(start, merged(stored, checkpoints).filter(({ position }) => position > start.position), keys);
  const found = await walkLog(client, walk, { lastBatch: extent.lastBatch, after: trusted?.first ?? null, progressed: (verified) => {
    signal?.throwIfAborted();
    onProgress?.({ verified, total: extent.head });
  } });
  if (found) return explain(client, found, walk.verified.chain);
  const { position: head, chain } = walk.verified;
  if (extent.lastEvent > head) return fault(head + 1n, 'inserted_event', `The event at ${head + 1n} belongs to no batch: the chain ends at ${head}.`);
  const beyond = walk.end();
  if (beyond) return beyond;
  return {
    ok: true, events: walk.events, batches: walk.batches, head, chain: Buffer.from(chain, 'latin1').toString('hex'),
    checkpoints: walk.checkpoints, signedUpTo: walk.signedUpTo,
  };
};

type Reading = { readonly lastBatch: bigint; readonly after: bigint | null; readonly progressed: (verified: bigint) => void };

const walkLog = async (client: PoolClient, walk: ChainWalk, { lastBatch, after, progressed }: Reading): Promise<ChainFault | null> => {
  for (let before = after; ; ) {
    progressed(walk.verified.position);
    const batches = await copyBatches(client, before, lastBatch, BATCHES_PER_COPY);
    if (batches.length === 0) return null;
    const found = await walkBatches(client, walk, batches, progressed);
    if (found) return found;
    before = batches.at(-1)!.first;
  }
};

const walkBatches = async (client: PoolClient, walk: ChainWalk, batches: readonly Batch[], progressed: Reading['progressed']): Promise<ChainFault | null> => {
  const at = { batch: 0, found: null as ChainFault | null };
  const begin = () => (walk.inBatch ? null : walk.begin(batches[at.batch++]!));
  const end = batches.at(-1)!.last;
  for (let first = walk.verified.position + 1n; first <= end; first += EVENTS_PER_COPY) {
    const last = first + EVENTS_PER_COPY - 1n < end ? first + EVENTS_PER_COPY - 1n : end;
    await copyEvents(client, first, last, (row) => (at.found ??= begin() ?? walk.event(row)));
    if (walk.verified.position < last) at.found ??= begin() ?? walk.noEvent();
    if (at.found) return at.found;
    progressed(walk.verified.position);
  }
  return at.batch < batches.length ? (begin() ?? walk.noEvent()) : null;
};

/** In position order; one checkpoint a position, and that of the database only where nothing better is known. */
const merged = (stored: readonly Checkpoint[], outside: readonly Checkpoint[]): readonly Checkpoint[] =>
  [...new Map([...stored, ...outside].map((checkpoint) => [checkpoint.position, checkpoint])).values()].sort((a, b) => (a.position < b.position ? -1 : 1));
