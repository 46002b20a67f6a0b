import { Injectable, Logger } from '@nestjs/common';
import { Pool } from 'pg';

/** A key in constant use is written once in this time, not once a request. */
const WRITE_EVERY_MS = 60_000;
const MAX_REMEMBERED = 100_000;

/** When each key was last used. Not an event: it changes with every request and decides nothing. */
@Injectable()
export class KeyUsage {
  private readonly written = new Map<string, number>();
  private readonly log = new Logger(KeyUsage.name);

  constructor(private readonly pool: Pool) {}

  /** Never delays or fails a request: a lost note costs a minute of precision. */
  note(keyId: string, now: Date) {
    const last = this.written.get(keyId);
    if (last !== undefined && now.getTime() - last < WRITE_EVERY_MS) return;
    if (this.written.size >= MAX_REMEMBERED) this.written.clear();
    this.written.set(keyId, now.getTime());
    this.pool
      .query({
        name: 'key-usage-note',
        text: `INSERT INTO api_key_usage AS u (key_id, last_used_at) VALUES ($1, $2)
               ON CONFLICT (key_id) DO UPDATE SET last_used_at = greatest(u.last_used_at, excluded.last_used_at)`,
        values: [keyId, now.toISOString()],
      })
      .catch((error: unknown) => this.log.warn(`The last use of a key was not noted: ${String(error)}`));
  }

  async of(keyIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const { rows } = await this.pool.query<{ key_id: string; last_used_at: string }>('SELECT key_id, last_used_at FROM api_key_usage WHERE key_id = ANY($1)', [keyIds]);
    return new Map(rows.map((row) => [row.key_id, row.last_used_at]));
  }
}

/** Instants as ISO text, like in every read model: they sort as time. */
export const migrateKeyUsage = async (client: Pick<Pool, 'query'>): Promise<void> => {
  await client.query('CREATE TABLE IF NOT EXISTS api_key_usage (key_id text PRIMARY KEY, last_used_at text NOT NULL)');
};
