import { readdirSync, readFileSync } from 'node:fs';
import type { ClientBase } from 'pg';

const FOLDER = new URL('./sql/', import.meta.url);
const MIGRATION = /^\d{4}-.+\.sql$/;
/** One key for every program that migrates this log; processes that start together queue here. */
const LOCK = '731946250117';

/**
 * Brings the log's schema up to date, in one transaction: all of it or nothing. Numbered files run once, in order, and are recorded in
 * `es_migration`; functions are created anew each time. A schema that a newer program has moved on is left as it is.
 */
export const migrateLog = async (client: ClientBase): Promise<void> => {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql')).sort();
  const migrations = files.filter((file) => MIGRATION.test(file));
  const functions = files.filter((file) => !MIGRATION.test(file));
  await client.query('BEGIN');
  try {
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
    await client.query('CREATE TABLE IF NOT EXISTS es_migration (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT clock_timestamp())');
    const { rows } = await client.query<{ name: string }>('SELECT name FROM es_migration');
    const applied = new Set(rows.map(({ name }) => name));
    const isNewer = [...applied].some((name) => !migrations.includes(name));
    for (const file of isNewer ? [] : migrations.filter((name) => !applied.has(name))) {
      await client.query(sql(file));
      await client.query('INSERT INTO es_migration (name) VALUES ($1)', [file]);
    }
    for (const file of isNewer ? [] : functions) await client.query(sql(file));
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw new Error(`The log's schema could not be brought up to date: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
};

const sql = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8');
