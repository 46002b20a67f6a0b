import type { ClientBase } from 'pg';

/** Brings the log's schema up to date. */
export const migrateLog = async (client: ClientBase): Promise<void> => {
  await client.query('SELECT 1');
};
