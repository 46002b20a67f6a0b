import type { Transaction } from '@app/event-store';

/**
 * Calls that wait for a worker or for its outcome; the record of a call is in the log. A call is wanted for as long as the process that runs it
 * says so, and what nobody wants is offered to nobody. Rows that a killed process left are taken away by the next start.
 */
export const migrateToolWorker = async (client: Transaction): Promise<void> => {
  await client.query(`
    CREATE TABLE IF NOT EXISTS worker_call (
      run_id text NOT NULL, call_id text NOT NULL, site_id text NOT NULL, tool text NOT NULL, input text NOT NULL, lease_ms integer NOT NULL, repeatable boolean NOT NULL,
      waiter text NOT NULL, wanted_until timestamptz NOT NULL, offered_at timestamptz NOT NULL DEFAULT clock_timestamp(),
      state text NOT NULL DEFAULT 'offered' CHECK (state IN ('offered', 'leased', 'executed', 'failed', 'unknown')),
      lease_id text, lease_until timestamptz, worker text, outcome text,
      PRIMARY KEY (run_id, call_id))`);
  await client.query(`CREATE INDEX IF NOT EXISTS worker_call_offered ON worker_call (site_id, tool, offered_at) WHERE state = 'offered'`);
  await client.query(`CREATE INDEX IF NOT EXISTS worker_call_leased ON worker_call (lease_until) WHERE state = 'leased'`);
  await client.query('CREATE UNIQUE INDEX IF NOT EXISTS worker_call_lease ON worker_call (lease_id)');
  await client.query(`DELETE FROM worker_call WHERE wanted_until < clock_timestamp() - interval '1 day'`);
};
