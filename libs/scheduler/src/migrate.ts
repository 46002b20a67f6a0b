import type { Transaction } from '@app/event-store';

/** Times are milliseconds since 1970. The rows follow from the log: empty the table and the consumer's checkpoint, and they come again. */
export const migrateDeadlines = async (client: Transaction): Promise<void> => {
  await client.query(`
    CREATE TABLE IF NOT EXISTS deadline (
      scheduler text NOT NULL, key text NOT NULL, site_id text NOT NULL, topic text NOT NULL, due_ms bigint NOT NULL, next_ms bigint NOT NULL,
      attempts integer NOT NULL DEFAULT 0, PRIMARY KEY (scheduler, key))`);
  // The event that set the row; null for rows of before it was kept.
  await client.query('ALTER TABLE deadline ADD COLUMN IF NOT EXISTS event_id text');
  await client.query('CREATE INDEX IF NOT EXISTS deadline_next ON deadline (scheduler, next_ms)');
};
