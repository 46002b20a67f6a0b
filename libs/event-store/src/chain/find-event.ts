import type { Queryable } from './stored-events';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Clocks of writers differ, and an event waits a moment for its commit. */
const SLACK_MS = 60_000;

/**
 * The position of an event, or null. The log has no index on ids (appending would pay for it), but a UUIDv7 tells its millisecond, and
 * commit times grow with the positions: about 20 probes find the batches of those two minutes, and only their events are read. An id
 * that was made otherwise, or long before its commit, is looked for in the whole log.
 */
export const findEvent = async (db: Queryable, eventId: string): Promise<bigint | null> => {
  const id = UUID.exec(eventId.toLowerCase());
  if (!id) return null;
  if (id[1] === '7') {
    const ms = Number.parseInt(id[0].slice(0, 8) + id[0].slice(9, 13), 16);
    const from = await firstBatchSince(db, ms - SLACK_MS);
    const to = from === null ? null : await firstBatchSince(db, ms + SLACK_MS);
    const near = from === null ? null : await scan(db, id[0], from, to);
    if (near !== null) return near;
  }
  return scan(db, id[0], 1n, null);
};

const scan = async (db: Queryable, eventId: string, from: bigint, before: bigint | null): Promise<bigint | null> => {
  const { rows } = await db.query<{ position: string }>(
    'SELECT position FROM es_event WHERE position >= $2 AND ($3::bigint IS NULL OR position < $3) AND event_id = $1 LIMIT 1',
    [eventId, String(from), before === null ? null : String(before)],
  );
  return rows[0] ? BigInt(rows[0].position) : null;
};

/** First position of the first batch that was committed at or after an instant; null when all are older. */
const firstBatchSince = async (db: Queryable, ms: number): Promise<bigint | null> => {
  const { rows: [extent] } = await db.query<{ low: string | null; high: string | null }>('SELECT min(first_position) AS low, max(first_position) AS high FROM es_batch');
  if (extent?.low == null || extent.high == null) return null;
  let low = BigInt(extent.low);
  let high = BigInt(extent.high) + 1n;
  while (low < high) {
    const { rows: [batch] } = await db.query<{ first: string; old: boolean }>(
      `SELECT first_position AS first, committed_at < to_timestamp($2::float8 / 1000) AS old FROM es_batch
       WHERE first_position >= $1 ORDER BY first_position LIMIT 1`,
      [String((low + high) / 2n), ms],
    );
    if (batch?.old) low = BigInt(batch.first) + 1n;
    else high = (low + high) / 2n;
  }
  const { rows: [found] } = await db.query<{ first: string | null }>('SELECT min(first_position) AS first FROM es_batch WHERE first_position >= $1', [String(low)]);
  return found?.first == null ? null : BigInt(found.first);
};
