import type { ClientBase } from 'pg';

/** Rows of processes that were killed stay until the next start of any process takes the old ones away. */
export const migrateLiveness = async (client: Pick<ClientBase, 'query'>) => {
  await client.query('CREATE TABLE IF NOT EXISTS process_heartbeat (process_id text PRIMARY KEY, expires_at timestamptz NOT NULL)');
  await client.query(`DELETE FROM process_heartbeat WHERE expires_at < clock_timestamp() - interval '1 day'`);
};
