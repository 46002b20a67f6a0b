import { canonicalEvent, leafOf } from '../canonical-event';
import { chainAfter, GENESIS } from '../link';
import { merkleRoot } from '../merkle';
import { storedEvents } from '../stored-events';
import type { TamperedLog } from './tampered-log';

/** Gives an event the leaf that its columns have now. */
export const resealEvent = async ({ pool }: TamperedLog, position: number): Promise<void> => {
  const [event] = await storedEvents(pool, [BigInt(position)]);
  await pool.query('UPDATE es_event SET leaf = $2 WHERE position = $1', [position, leafOf(canonicalEvent(event!))]);
};

/** Recomputes every leaf, root and link from what the events say now: the best that somebody with the whole database in hand can do. */
export const rewriteChain = async ({ pool }: TamperedLog): Promise<void> => {
  const { rows } = await pool.query<{ first: string; last: string }>('SELECT first_position AS first, last_position AS last FROM es_batch ORDER BY 1');
  let previous: Buffer = GENESIS;
  for (const { first, last } of rows) {
    const positions = Array.from({ length: Number(BigInt(last) - BigInt(first)) + 1 }, (_, i) => BigInt(first) + BigInt(i));
    const events = await storedEvents(pool, positions);
    const leaves = events.map((event) => leafOf(canonicalEvent(event)));
    for (const [i, event] of events.entries()) await pool.query('UPDATE es_event SET leaf = $2 WHERE position = $1', [String(event.position), leaves[i]]);
    const root = merkleRoot(leaves);
    const chain = chainAfter(previous, root, BigInt(first), BigInt(last));
    await pool.query('UPDATE es_batch SET root = $2, previous = $3, chain = $4 WHERE first_position = $1', [first, root, previous, chain]);
    previous = chain;
  }
};
