import type { ClientBase, Pool } from 'pg';
import type { StoredEvent } from './canonical-event';

export type Queryable = Pick<Pool | ClientBase, 'query'>;

/** An event with its leaf and the first position of its batch: what it takes to check it, byte for byte as it was written. */
export type StoredLeaf = StoredEvent & { readonly leaf: Buffer; readonly batch: bigint };

type Row = [string, string, string, string, string, number, string, string, string, string, string, Buffer];

/** The events at the given positions as the log holds them, never brought to a newer version; in position order. */
export const storedEvents = async (db: Queryable, positions: readonly bigint[]): Promise<readonly StoredLeaf[]> => {
  const { rows } = await db.query<Row>({
    name: 'stored-events', rowMode: 'array', values: [positions.map(String)],
    text: `SELECT position, stream_id, version, event_id, type, schema_version, site_id, occurred_ms, data, metadata, batch, leaf
           FROM es_event WHERE position = ANY ($1::bigint[]) ORDER BY position`,
  });
  return rows.map(([position, streamId, version, eventId, type, schemaVersion, siteId, occurredMs, data, metadata, batch, leaf]) => ({
    position: BigInt(position), streamId, version: Number(version), eventId, type, schemaVersion, siteId,
    occurredAt: instantOf(occurredMs), data, metadata, batch: BigInt(batch), leaf,
  }));
};

/** A number outside of what an instant can be comes from a changed row; it must not end the reading. */
const instantOf = (ms: string): string => {
  const date = new Date(Number(ms));
  return Number.isNaN(date.getTime()) ? `${ms} ms` : date.toISOString();
};
