import type { Transaction } from '@app/event-store';
import type { Deadline, DeadlineChange } from './deadline';

type Row = { readonly key: string; readonly site_id: string; readonly topic: string; readonly due_ms: string; readonly attempts: number };

/** The rows of one scheduler. A consumer of its own may set deadlines, too: in the transaction of its checkpoint. */
export class DeadlineTable {
  constructor(private readonly scheduler: string) {}

  async apply(tx: Transaction, siteId: string, change: DeadlineChange): Promise<void> {
    if ('clear' in change) {
      await tx.query('DELETE FROM deadline WHERE scheduler = $1 AND key = $2', [this.scheduler, change.clear]);
      return;
    }
    const at = Date.parse(change.at);
    if ('wakeSite' in change) {
      await tx.query('UPDATE deadline SET next_ms = $3, attempts = 0 WHERE scheduler = $1 AND site_id = $2 AND due_ms <= $3', [this.scheduler, change.wakeSite, at]);
      return;
    }
    if ('move' in change) {
      await tx.query('UPDATE deadline SET due_ms = $3, next_ms = $3, attempts = 0 WHERE scheduler = $1 AND key = $2', [this.scheduler, change.move, at]);
      return;
    }
    await tx.query(
      `INSERT INTO deadline (scheduler, key, site_id, topic, due_ms, next_ms) VALUES ($1, $2, $3, $4, $5, $5)
       ON CONFLICT (scheduler, key) DO UPDATE SET topic = excluded.topic, due_ms = excluded.due_ms, next_ms = excluded.next_ms, attempts = 0`,
      [this.scheduler, change.set, siteId, change.topic, at],
    );
  }

  /** The one that has waited longest, locked until the transaction ends. Those that another process holds are passed over, never waited for. */
  async claim(tx: Transaction, now: Date): Promise<(Deadline & { readonly attempts: number }) | null> {
    const { rows } = await tx.query<Row>(
      `SELECT key, site_id, topic, due_ms, attempts FROM deadline WHERE scheduler = $1 AND next_ms <= $2
       ORDER BY next_ms LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [this.scheduler, now.getTime()],
    );
    const row = rows[0];
    return row ? { key: row.key, siteId: row.site_id, topic: row.topic, dueAt: new Date(Number(row.due_ms)), attempts: row.attempts } : null;
  }

  done = (tx: Transaction, key: string) => tx.query('DELETE FROM deadline WHERE scheduler = $1 AND key = $2', [this.scheduler, key]);

  again = (tx: Transaction, key: string, at: Date) =>
    tx.query('UPDATE deadline SET next_ms = $3, attempts = attempts + 1 WHERE scheduler = $1 AND key = $2', [this.scheduler, key, at.getTime()]);
}
