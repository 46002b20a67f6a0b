import type { Pool, PoolClient } from 'pg';

/**
 * Raised whenever events are counted in another way: the numbers of the new version are then counted anew from the beginning of the log,
 * while processes of the older program go on with theirs.
 */
export const COUNTING_VERSION = 1;

type Queries = Pick<Pool | PoolClient, 'query'>;

/** The tables of the metrics that are counted from the log. Processes that start at the same moment make them one after the other. */
export const migrateObservability = async (db: Queries): Promise<void> => {
  await db.query(`
    SELECT pg_advisory_xact_lock(7203114520261130);
    CREATE TABLE IF NOT EXISTS metric_series (
      counting integer NOT NULL, metric text NOT NULL, label_values text NOT NULL, part text NOT NULL, value double precision NOT NULL,
      PRIMARY KEY (counting, metric, label_values, part)
    ) WITH (fillfactor = 70);
    CREATE TABLE IF NOT EXISTS metric_label (
      counting integer NOT NULL, label text NOT NULL, value text NOT NULL, PRIMARY KEY (counting, label, value)
    );
    CREATE TABLE IF NOT EXISTS metric_subject (
      counting integer NOT NULL, key text COLLATE "C" NOT NULL, name text NOT NULL, since text NOT NULL, owner text NOT NULL, PRIMARY KEY (counting, key)
    );
    CREATE INDEX IF NOT EXISTS metric_subject_owner ON metric_subject (counting, owner);`);
  for (const table of ['metric_series', 'metric_label', 'metric_subject']) {
    await db.query(`DELETE FROM ${table} WHERE counting < $1`, [COUNTING_VERSION - 1]);
  }
};
