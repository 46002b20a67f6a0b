import type { Transaction } from '@app/event-store';

/** What keeps a round of deliveries from going on. */
export type Trouble = {
  readonly attempts: number;
  readonly lastError: { readonly code: string; readonly detail: string; readonly eventId: string; readonly at: string };
  readonly nextAttemptAt: string;
};

/** Rounds that are in trouble, for whoever looks; nothing is decided by it. Positions are the consumers' own. */
export const migrateCdc = async (client: Transaction): Promise<void> => {
  await client.query(
    `CREATE TABLE IF NOT EXISTS cdc_trouble (consumer text COLLATE "C" PRIMARY KEY, attempts integer NOT NULL, code text NOT NULL, detail text NOT NULL, event_id text NOT NULL,
      failed_at timestamptz NOT NULL, next_attempt_at timestamptz NOT NULL)`,
  );
};

type Row = { attempts: number; code: string; detail: string; event_id: string; failed_at: Date; next_attempt_at: Date };

export class DeliveryTable {
  constructor(private readonly db: Transaction) {}

  /** The stored checkpoint of a round; undefined before its first lease. */
  async position(consumer: string): Promise<bigint | undefined> {
    const { rows } = await this.db.query<{ position: string }>('SELECT position FROM es_consumer WHERE name = $1 AND slice = 0', [consumer]);
    return rows[0] && BigInt(rows[0].position);
  }

  async trouble(consumer: string): Promise<Trouble | undefined> {
    const { rows } = await this.db.query<Row>('SELECT attempts, code, detail, event_id, failed_at, next_attempt_at FROM cdc_trouble WHERE consumer = $1', [consumer]);
    if (!rows[0]) return undefined;
    const { attempts, code, detail, event_id: eventId, failed_at: at, next_attempt_at: next } = rows[0];
    return { attempts, lastError: { code, detail, eventId, at: at.toISOString() }, nextAttemptAt: next.toISOString() };
  }

  async failed(consumer: string, { attempts, lastError: { code, detail, eventId, at }, nextAttemptAt }: Trouble): Promise<void> {
    await this.db.query(
      `INSERT INTO cdc_trouble (consumer, attempts, code, detail, event_id, failed_at, next_attempt_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
       ON CONFLICT (consumer) DO UPDATE SET attempts = excluded.attempts, code = excluded.code, detail = excluded.detail, event_id = excluded.event_id,
         failed_at = excluded.failed_at, next_attempt_at = excluded.next_attempt_at`,
      [consumer, attempts, code, detail, eventId, at, nextAttemptAt],
    );
  }

  async recovered(consumer: string): Promise<void> {
    await this.db.query('DELETE FROM cdc_trouble WHERE consumer = $1', [consumer]);
  }

  /** Of a round that is over: where it stood is of no use to anybody. */
  async forget(consumer: string): Promise<void> {
    await this.db.query('WITH calm AS (DELETE FROM cdc_trouble WHERE consumer = $1) DELETE FROM es_consumer WHERE name = $1', [consumer]);
  }
}
