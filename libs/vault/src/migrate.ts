import type { Transaction } from '@app/event-store';

/** Subjects are compared byte by byte, so that all below one of them are a range of the primary key. A subject in `vault_forgotten` never gets a key again. */
export const migrateVault = async (client: Transaction): Promise<void> => {
  await client.query(`
    CREATE TABLE IF NOT EXISTS vault_key (
      subject text COLLATE "C" PRIMARY KEY, site_id text NOT NULL, wrapped bytea NOT NULL, created_at timestamptz NOT NULL DEFAULT clock_timestamp())`);
  await client.query(`
    CREATE TABLE IF NOT EXISTS vault_secret (
      site_id text NOT NULL, name text COLLATE "C" NOT NULL, sealed text NOT NULL, updated_at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (site_id, name))`);
  await client.query('CREATE TABLE IF NOT EXISTS vault_forgotten (subject text COLLATE "C" PRIMARY KEY, forgotten_at timestamptz NOT NULL DEFAULT clock_timestamp())');
  await client.query('CREATE TABLE IF NOT EXISTS vault_master (only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one), check_value bytea NOT NULL)');
};
