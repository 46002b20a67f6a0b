import type { ClientBase } from 'pg';

/** One lock for everybody who creates tables of this library: two processes may start at the same moment. */
export const SCHEMA_LOCK = 'SELECT pg_advisory_xact_lock(7203114520260101)';

/**
 * One row per generation of a projection. `role`: at most one generation serves and at most one is building; the last one that served is
 * kept; the table of one that is `gone` was dropped. `state` is what its worker does. `fence` changes with every change of hands: a
 * checkpoint moves only under the fence it was taken with. Fillfactor 50 keeps the many small position updates on their page.
 */
const TABLES = `
  CREATE TABLE IF NOT EXISTS es_projection (
    name text COLLATE "C" NOT NULL,
    generation integer NOT NULL,
    version integer NOT NULL,
    role text NOT NULL CHECK (role IN ('serving', 'building', 'kept', 'gone')),
    state text NOT NULL DEFAULT 'running' CHECK (state IN ('running', 'paused', 'stopped')),
    position bigint NOT NULL DEFAULT 0,
    target bigint NOT NULL DEFAULT 0,
    fence bigint NOT NULL DEFAULT 0,
    owner text,
    expires_at timestamptz,
    error text,
    error_position bigint,
    created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (name, generation)
  ) WITH (fillfactor = 50);
  CREATE UNIQUE INDEX IF NOT EXISTS es_projection_serving ON es_projection (name) WHERE role = 'serving';
  CREATE UNIQUE INDEX IF NOT EXISTS es_projection_building ON es_projection (name) WHERE role = 'building';
  CREATE TABLE IF NOT EXISTS es_projection_skip (
    name text COLLATE "C" NOT NULL,
    version integer NOT NULL,
    position bigint NOT NULL,
    reason text NOT NULL,
    actor text NOT NULL,
    skipped_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (name, version, position)
  );`;

/** Creates the tables this library keeps its own state in. Safe to run again and from several processes at once. */
export const migrateProjections = async (client: Pick<ClientBase, 'query'>): Promise<void> => {
  await client.query('BEGIN');
  try {
    await client.query(SCHEMA_LOCK);
    await client.query(TABLES);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
};
