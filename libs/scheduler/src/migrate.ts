import type { Transaction } from '@app/event-store';

/** Times are milliseconds since 1970. The rows follow from the log: empty the table and the consumer's checkpoint, and they come again. */
export const migrateDeadlines = async (client: Transaction): Promise<void> => {
  await client.query(`
    CREATE TABLE IF NOT EXISTS deadline (
      scheduler text NOT NULL, key text NOT NULL, site_id text NOT NULL, topic text NOT NULL, due_ms bigint NOT NULL, next_ms bigint NOT NULL,
      attempts integer NOT NULL DEFAULT 0, PRIMARY KEY (scheduler, key))`);
  await client.query('CREATE INDEX IF NOT EXISTS deadline_next ON deadline (scheduler, next_ms)');
};
