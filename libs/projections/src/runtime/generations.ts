import type { Pool, PoolClient } from 'pg';
import { SCHEMA_LOCK } from '../migrate';
import type { AnyProjection } from '../projection';
import { createIndexes, createTable } from '../table/ddl';
import { generationTable, quoted, servingTable, shapeOf } from '../table/shape';

export type Role = 'serving' | 'building' | 'kept' | 'gone';

/** One generation of a projection, as its row in `es_projection` says. */
export type Generation = {
  readonly name: string;
  readonly generation: number;
  readonly version: number;
  readonly role: Role;
  readonly state: 'running' | 'paused' | 'stopped';
  readonly position: bigint;
  /** Head of the log when a rebuild began: what its progress is measured against. */
  readonly target: bigint;
  readonly fence: bigint;
  readonly owner: string | null;
  readonly error: string | null;
  readonly errorPosition: bigint | null;
};

export type Queries = Pick<Pool | PoolClient, 'query'>;

export const COLUMNS = `name, generation, version, role, state, position, target, fence, owner, error, error_position AS "errorPosition"`;
export const CHANNEL = 'es_projection';

export const tableOf = ({ name, generation, role }: Pick<Generation, 'name' | 'generation' | 'role'>) =>
  role === 'serving' ? servingTable(name) : generationTable(name, generation);

export const inTransaction = async <T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> => {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    const broken = await client.query('ROLLBACK').then(
      () => false,
      () => true,
    );
    client.release(broken);
    throw error;
  }
};

export const generationsOf = async (db: Queries, names: readonly string[]): Promise<readonly Generation[]> =>
  (await db.query<Generation>(`SELECT ${COLUMNS} FROM es_projection WHERE name = ANY($1) ORDER BY name, generation`, [names])).rows;

/** Tells every process that rows of `es_projection` changed; it is delivered when the transaction commits. */
export const announce = (db: Queries, name: string) => db.query('SELECT pg_notify($1, $2)', [CHANNEL, name]);

/** Adds a generation with an empty table. A shadow gets its further indexes after the bulk of its rows: that is faster. */
export const addGeneration = async (client: PoolClient, p: AnyProjection, role: 'serving' | 'building', target: bigint) => {
  const shape = shapeOf(p);
  const { rows } = await client.query<{ generation: number }>(
    `INSERT INTO es_projection (name, generation, version, role, target)
     SELECT $1, coalesce(max(generation), 0) + 1, $2, $3, $4 FROM es_projection WHERE name = $1 RETURNING generation`,
    [p.name, p.version, role, String(target)],
  );
  const generation = rows[0]!.generation;
  const table = tableOf({ name: p.name, generation, role });
  await client.query(createTable(shape, table, p.name, generation));
  if (role === 'serving') for (const sql of createIndexes(shape, table, p.name, generation)) await client.query(sql);
  await announce(client, p.name);
  return generation;
};

/**
 * Makes sure that every declared projection has a generation: the first one serves at once, a raised version starts a rebuild.
 * A version that was built before, be it cancelled or rolled back, is not built again by itself: somebody decided against it.
 */
export const declare = async (pool: Pool, projections: readonly AnyProjection[], head: bigint): Promise<void> => {
  const newest = (rows: readonly Generation[], name: string) =>
    rows.reduce((max, row) => (row.name === name && row.version > max ? row.version : max), 0);
  const names = projections.map(({ name }) => name);
  const behind = async (db: Queries) => {
    const rows = await generationsOf(db, names);
    return { rows, due: projections.filter((p) => newest(rows, p.name) < p.version) };
  };
  if ((await behind(pool)).due.length === 0) return;
  await inTransaction(pool, async (client) => {
    await client.query(SCHEMA_LOCK);
    const { rows, due } = await behind(client);
    for (const p of due) {
      const own = rows.filter(({ name }) => name === p.name);
      const building = own.find(({ role }) => role === 'building');
      if (building) await discard(client, building);
      await addGeneration(client, p, own.some(({ role }) => role === 'serving') ? 'building' : 'serving', head);
    }
  });
};

/**
 * Ends a generation that does not serve: its table goes, its worker loses the fence. The row stays, so that numbers are never used twice.
 * The table comes first: writers lock the table and then the checkpoint, and whoever locks in another order waits for them for ever.
 */
export const discard = async (client: PoolClient, { name, generation, role }: Generation) => {
  await client.query(`DROP TABLE IF EXISTS ${quoted(tableOf({ name, generation, role }))}`);
  await client.query(`UPDATE es_projection SET role = 'gone', owner = NULL, fence = fence + 1 WHERE name = $1 AND generation = $2`, [
    name,
    generation,
  ]);
  await announce(client, name);
};

/**
 * Takes or renews the leases of all generations this process can work on, in one statement. Only the database's clock counts.
 * The fence stays as long as the owner stays; a `suspect` is a generation whose last write ended unknown: its fence moves on, so that
 * a statement which is still under way somewhere can no longer commit. Rows are locked in order: two processes never wait crosswise.
 */
export const lease = async (
  db: Queries,
  projections: readonly AnyProjection[],
  owner: string,
  leaseMs: number,
  suspects: readonly string[],
): Promise<readonly Generation[]> => {
  const { rows } = await db.query<Generation>({
    name: 'projections-lease',
    text: `WITH free AS (
        SELECT e.name AS n, e.generation AS g FROM es_projection e JOIN unnest($1::text[], $2::integer[]) AS mine (name, version)
          ON e.name = mine.name AND e.version = mine.version
        WHERE role IN ('serving', 'building') AND (owner IS NULL OR owner = $3 OR expires_at < clock_timestamp())
        ORDER BY e.name, e.generation FOR UPDATE OF e)
      UPDATE es_projection SET owner = $3, expires_at = clock_timestamp() + $4 * interval '1 millisecond',
        fence = fence + CASE WHEN owner = $3 AND NOT (name || '@' || generation = ANY($5::text[])) THEN 0 ELSE 1 END
      FROM free WHERE name = n AND generation = g RETURNING ${COLUMNS}`,
    values: [projections.map(({ name }) => name), projections.map(({ version }) => version), owner, leaseMs, suspects],
  });
  return rows;
};

/** Gives every lease back, so that another process takes over now and not when it has run out. */
export const release = async (db: Queries, owner: string) => {
  const { rowCount } = await db.query('UPDATE es_projection SET owner = NULL WHERE owner = $1', [owner]);
  if (rowCount) await announce(db, '');
};

/** Records why a generation stopped. Only its leader may. */
export const recordStop = (db: Queries, { name, generation, fence }: Generation, error: string, position: bigint) =>
  db.query(
    `UPDATE es_projection SET state = 'stopped', error = $4, error_position = $5 WHERE name = $1 AND generation = $2 AND fence = $3`,
    [name, generation, String(fence), error, String(position)],
  );
