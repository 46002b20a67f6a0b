import type { ClientBase } from 'pg';

/** Any constant: it only keeps two starting processes from creating the table at once. */
const LOCK = 7_206_221;

/** Creates the table of idempotency keys. Safe to call from several processes at once, and again. */
export const migrateHttp = async (client: Pick<ClientBase, 'query'>): Promise<void> => {
  await client.query(`
    SELECT pg_advisory_xact_lock(${LOCK});
    CREATE TABLE IF NOT EXISTS http_idempotency (
      scope       text COLLATE "C" PRIMARY KEY,
      fingerprint text COLLATE "C" NOT NULL,
      command_id  text COLLATE "C" NOT NULL,
      owner       text COLLATE "C" NOT NULL,
      lease_until timestamptz NOT NULL,
      expires_at  timestamptz NOT NULL,
      status      smallint,
      headers     text,
      body        text
    );
    ALTER TABLE http_idempotency ADD COLUMN IF NOT EXISTS path text;
    CREATE INDEX IF NOT EXISTS http_idempotency_expiry ON http_idempotency (expires_at);
  `);
};
