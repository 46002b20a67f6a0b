import { Client } from 'pg';
import type { TestDatabase } from '../../../../test/database';
import { until } from '../consumers/testing/until';

/**
 * A log and a reader under test, in words. `write` resolves after the commit. `reader` is the application name of the sessions that
 * `read` reads with.
 */
export type Subject = { readonly reader: string; write(name: string): Promise<void>; read(signal: AbortSignal): AsyncIterable<string> };

/** Makes commits that insert a chosen row wait for advisory lock 1 at commit time: nobody sees such a row before. */
export const holdCommits = (client: Client, table: string, condition: string) =>
  client.query(`
    CREATE OR REPLACE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER hold_commit AFTER INSERT ON ${table} DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION hold_commit();`);

/**
 * The classic way to lose events: a first writer has its place in the order but its commit is held open, a second one would like to commit
 * meanwhile, and a reader runs. Answers what the reader delivered once everything was committed.
 */
export const readAcrossHeldCommit = async (database: TestDatabase, { reader, write, read }: Subject): Promise<string[]> => {
  const admin = new Client(database);
  await admin.connect();
  const waiting = async () => Number((await admin.query<{ n: string }>(`SELECT count(*) AS n FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).rows[0]!.n);
  const stop = new AbortController();
  const delivered: string[] = [];
  const reading = (async () => {
    for await (const name of read(stop.signal)) {
      delivered.push(name);
      if (name === 'last') return;
    }
  })();
  await write('warm-up');
  await until(() => delivered.length, (n) => n === 1);
  await admin.query('SELECT pg_advisory_lock(1)');
  const first = write('held');
  await until(waiting, (n) => n === 1);
  // The second writer either commits now or waits for the first: both are fine, as long as the reader passes nobody over.
  let isCommitted = false;
  const second = write('second').then(() => (isCommitted = true));
  await until(async () => isCommitted || (await waiting()) === 2, Boolean);
  const { rows } = await admin.query<{ now: string }>('SELECT clock_timestamp()::text AS now');
  const looks = () => admin.query('SELECT 1 FROM pg_stat_activity WHERE application_name = $1 AND query_start > $2::timestamptz', [reader, rows[0]!.now]);
  await until(async () => (await looks()).rowCount, (n) => n! > 0);
  if (isCommitted) await until(() => delivered, (names) => names.includes('second'));
  await admin.query('SELECT pg_advisory_unlock(1)');
  await Promise.all([first, second]);
  await write('last');
  await reading;
  stop.abort();
  await admin.end();
  return delivered;
};
