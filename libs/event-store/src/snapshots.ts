import type { Client, Pool } from 'pg';

/** A folded state as stored: valid only for the state version it was made with. */
export type Snapshot = { readonly version: number; readonly position: bigint; readonly state: unknown };

/** Keeps folded states of long streams. Losing all of them costs time, never truth. */
export abstract class Snapshots {
  abstract load(streamId: string, stateVersion: number): Promise<Snapshot | null>;
  abstract save(streamId: string, stateVersion: number, snapshot: Snapshot): Promise<void>;
}

export class NoSnapshots extends Snapshots {
  override load = () => Promise.resolve(null);
  override save = () => Promise.resolve();
}

type Found = { version: string; position: string; state: string };

export class PostgresSnapshots extends Snapshots {
  constructor(private readonly pool: Pick<Pool | Client, 'query'>) {
    super();
  }

  override async load(streamId: string, stateVersion: number) {
    const { rows } = await this.pool.query<Found>({
      name: 'snapshot-load',
      text: 'SELECT version, position, state FROM es_snapshot WHERE stream_id = $1 AND state_version = $2',
      values: [streamId, stateVersion],
    });
    const row = rows[0];
    return row ? { version: Number(row.version), position: BigInt(row.position), state: JSON.parse(row.state) as unknown } : null;
  }

  /** The newer snapshot stays when two processes save at once. */
  override async save(streamId: string, stateVersion: number, { version, position, state }: Snapshot) {
    await this.pool.query({
      name: 'snapshot-save',
      text: `INSERT INTO es_snapshot AS s (stream_id, state_version, version, position, state) VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (stream_id) DO UPDATE SET state_version = excluded.state_version, version = excluded.version,
               position = excluded.position, state = excluded.state
             WHERE s.state_version <> excluded.state_version OR s.version < excluded.version`,
      values: [streamId, stateVersion, version, String(position), JSON.stringify(state)],
    });
  }
}
