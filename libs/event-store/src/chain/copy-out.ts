import type { PoolClient } from 'pg';
import type { Batch, Start } from './chain-walk';
import type { CopiedRow } from './copied-rows';
import { copyRows } from './copy-query';
import { COLUMNS } from './row-text';

// A verification reads whole tables, with COPY in binary form. It takes no parameters: only bigints are put into its text.

/** Events with positions from `first` to `last`, in order. */
export const copyEvents = (client: PoolClient, first: bigint, last: bigint, onRow: (row: CopiedRow) => void): Promise<void> =>
  copyRows(client, `SELECT ${COLUMNS.join(', ')} FROM es_event WHERE position BETWEEN ${first} AND ${last} ORDER BY position`, COLUMNS.length, onRow);

/** Batches that begin after `after` (null: from the very first) and not after `upTo`, at most `limit`, in order. */
export const copyBatches = async (client: PoolClient, after: bigint | null, upTo: bigint, limit: number): Promise<readonly Batch[]> => {
  const batches: Batch[] = [];
  const condition = after === null ? '' : `first_position > ${after} AND`;
  const query = `SELECT first_position, last_position, root, previous, chain FROM es_batch WHERE ${condition} first_position <= ${upTo} ORDER BY first_position LIMIT ${limit}`;
  await copyRows(client, query, 5, (row) => {
    batches.push({ first: row.int64(0), last: row.int64(1), root: row.latin1(2), previous: row.latin1(3), chain: row.latin1(4) });
  });
  return batches;
};

/** What the tables span at one instant. In an empty log `firstEvent` is 1 and the rest 0. */
export type Extent = { readonly firstEvent: bigint; readonly lastEvent: bigint; readonly lastBatch: bigint; readonly head: bigint };

export const extentOf = async (client: PoolClient): Promise<Extent> => {
  const { rows } = await client.query<Record<keyof Extent, string>>(
    `SELECT coalesce((SELECT min(position) FROM es_event), 1) AS "firstEvent", coalesce((SELECT max(position) FROM es_event), 0) AS "lastEvent",
            coalesce((SELECT max(first_position) FROM es_batch), 0) AS "lastBatch",
            coalesce((SELECT last_position FROM es_batch ORDER BY first_position DESC LIMIT 1), 0) AS head`,
  );
  const { firstEvent, lastEvent, lastBatch, head } = rows[0]!;
  return { firstEvent: BigInt(firstEvent), lastEvent: BigInt(lastEvent), lastBatch: BigInt(lastBatch), head: BigInt(head) };
};

/** The end of the last batch that lies wholly at or before a position; null when there is none, which is the start of the log. */
export const batchEndAt = async (client: PoolClient, position: bigint): Promise<(Start & { readonly first: bigint }) | null> => {
  const { rows } = await client.query<{ first: string; last: string; chain: Buffer }>(
    `SELECT first_position AS first, last_position AS last, chain FROM es_batch WHERE first_position <= $1 ORDER BY first_position DESC LIMIT 2`,
    [String(position)],
  );
  const row = rows.find(({ last }) => BigInt(last) <= position);
  return row ? { first: BigInt(row.first), position: BigInt(row.last), chain: row.chain.toString('latin1') } : null;
};
