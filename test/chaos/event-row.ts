import type { Pool } from 'pg';
import type { Body } from '../e2e/server';

/** One row of the log. */
export type EventRow = { readonly position: string; readonly stream_id: string; readonly version: string; readonly type: string; readonly text: string; readonly data: Body };

const PAGE = 20_000;

/** Everything above a position, in order. */
export const rowsAfter = async (pool: Pool, after: bigint): Promise<EventRow[]> => {
  const found: EventRow[] = [];
  for (let from = after; ; from = BigInt(found.at(-1)!.position)) {
    const { rows } = await pool.query<Omit<EventRow, 'data'>>(
      `SELECT position::text, stream_id, version::text, type, data AS text FROM es_event WHERE position > $1 ORDER BY es_event.position LIMIT ${PAGE}`, [String(from)]);
    for (const row of rows) found.push({ ...row, data: JSON.parse(row.text) as Body });
    if (rows.length < PAGE) return found;
  }
};
