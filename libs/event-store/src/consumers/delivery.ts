import type { Recorded } from '@app/kernel';
import type { Database, Transaction } from './database';
import { LazyTransaction } from './lazy-transaction';
import { advance, type Lease } from './lease';

/** What a handler may know about its delivery. The signal aborts when the lease is lost: nothing that follows can count any more. */
export type Delivery = { readonly signal: AbortSignal; readonly slice: number; readonly fence: bigint };

/** Said of a batch that was none of the handler's business: its checkpoint may wait, for nothing comes of handling it again. */
export const UNCONCERNED = 'unconcerned';

/**
 * Handles events in the order of the log. What it writes through `tx` commits together with the checkpoint: exactly once. What it does
 * elsewhere is done at least once: after a crash in between the events come again.
 */
export type Handler = (events: readonly Recorded[], tx: Transaction, delivery: Delivery) => Promise<void | typeof UNCONCERNED>;

/**
 * `passed`: there was nothing to keep, the checkpoint stays. `void`: the lease or the checkpoint moved meanwhile, nothing was kept.
 * `outage`: the database went away, the outcome is unknown.
 */
export type Outcome = { readonly kind: 'done' | 'passed' | 'void' } | { readonly kind: 'failed' | 'outage'; readonly error: unknown };

export type Batch = { readonly events: readonly Recorded[]; readonly from: bigint; readonly to: bigint };

/** One attempt: the handler, then the checkpoint, in one transaction. Never rejects. */
export const deliver = async (
  db: Database,
  handler: Handler,
  lease: Lease,
  { events, from, to }: Batch,
  signal: AbortSignal,
  idleMs: number,
): Promise<Outcome> => {
  const tx = new LazyTransaction(db, idleMs);
  try {
    const said = events.length > 0 ? await handler(events, tx, { signal, slice: lease.slice, fence: lease.fence }) : undefined;
    if (said === UNCONCERNED && !tx.begun) return { kind: 'passed' };
    if (signal.aborted) {
      await tx.rollback();
      return { kind: 'void' };
    }
    return { kind: (await tx.conclude((last) => advance(last, lease, from, to))) ? 'done' : 'void' };
  } catch (error) {
    await tx.rollback();
    return { kind: tx.lost ? 'outage' : 'failed', error };
  }
};
