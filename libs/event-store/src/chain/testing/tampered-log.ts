import { Pool } from 'pg';
import { testDatabase } from '../../../../../test/database';
import { PostgresEventStore } from '../../postgres/postgres.event-store';
import { catalogue, command, newStream, note } from '../../testing/samples';

/** A log of its own that a database administrator with all rights can rewrite. */
export class TamperedLog {
  private constructor(readonly store: PostgresEventStore, readonly pool: Pool, private readonly drop: () => Promise<void>) {}

  static async open(): Promise<TamperedLog> {
    const { drop, ...connection } = await testDatabase();
    const store = await new PostgresEventStore({ connection, catalogue, signal: false }).start();
    const pool = new Pool({ ...connection, max: 3 });
    pool.on('error', () => undefined);
    return new TamperedLog(store, pool, drop);
  }

  /** One batch for each number, with that many events. */
  async write(...sizes: readonly number[]): Promise<void> {
    for (const [n, size] of sizes.entries()) {
      const events = Array.from({ length: size }, (_, i) => note(`Grüße "${n}" \u{1f600}`, i));
      const result = await this.store.append([{ streamId: newStream(), expected: 'none', events }], [], command({ now: new Date(1_900_000_000_000 + n * 1_001) }));
      if (!result.ok) throw new Error(`The sample log could not be written: ${JSON.stringify(result)}`);
    }
  }

  /** Switches off what defends the log, and keeps a copy to go back to. */
  async disarm(): Promise<void> {
    await this.pool.query(`
      ALTER TABLE es_event DISABLE TRIGGER ALL, DROP CONSTRAINT IF EXISTS es_event_stream_version; ALTER TABLE es_batch DISABLE TRIGGER ALL;
      DROP TABLE IF EXISTS kept_event, kept_batch, kept_checkpoint;
      CREATE TABLE kept_event AS TABLE es_event; CREATE TABLE kept_batch AS TABLE es_batch; CREATE TABLE kept_checkpoint AS TABLE es_signed_checkpoint`);
  }

  async restore(): Promise<void> {
    await this.pool.query(`
      TRUNCATE es_event, es_batch, es_signed_checkpoint; INSERT INTO es_event TABLE kept_event; INSERT INTO es_batch TABLE kept_batch;
      INSERT INTO es_signed_checkpoint TABLE kept_checkpoint`);
  }

  tamper = (sql: string, values?: unknown[]) => this.pool.query(sql, values);

  /**
   * Moves every event from a position on by some places, together with its batch. Over negative positions, because a unique key is
   * checked row by row.
   */
  async renumber(from: number, by: number, upTo = Number.MAX_SAFE_INTEGER): Promise<void> {
    await this.tamper('UPDATE es_event SET position = -(position + $2) WHERE position >= $1 AND position <= $3', [from, by, upTo]);
    await this.tamper('UPDATE es_event SET position = -position WHERE position < 0');
  }

  async close(): Promise<void> {
    await this.store.close();
    await this.pool.end();
    await this.drop();
  }
}
