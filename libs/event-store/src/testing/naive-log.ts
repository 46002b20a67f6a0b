import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import type { TestDatabase } from '../../../../test/database';
import type { Subject } from './held-commit';

/** A log as it is often built: positions from a sequence, and a reader that asks for what is above the last position it saw. */
export const naiveLog = async (database: TestDatabase): Promise<Subject & { readonly pool: Pool; close(): Promise<unknown> }> => {
  const pool = new Pool(database);
  const reader = 'naive reader';
  const reading = new Pool({ ...database, application_name: reader });
  await pool.query('CREATE TABLE naive_event (position bigserial PRIMARY KEY, name text NOT NULL)');
  return {
    pool,
    reader,
    write: async (name) => { await pool.query('INSERT INTO naive_event (name) VALUES ($1)', [name]); },
    async *read(signal) {
      for (let last = '0'; !signal.aborted; ) {
        const { rows } = await reading.query<{ position: string; name: string }>('SELECT position, name FROM naive_event WHERE position > $1 ORDER BY position', [last]);
        for (const { name } of rows) yield name;
        last = rows.at(-1)?.position ?? last;
        await sleep(1);
      }
    },
    close: () => Promise.all([pool.end(), reading.end()]),
  };
};
