import type { Transaction } from '@app/event-store';
import type { Deadline, DeadlineChange } from './deadline';

type Row = { readonly key: string; readonly site_id: string; readonly topic: string; readonly due_ms: string; readonly attempts: number };

export type SiteChange = { readonly siteId: string; readonly change: DeadlineChange };
/** What is to become of a key; null: it goes. */
type Wanted = { readonly siteId: string; readonly topic: string; readonly at: number } | null;

/** The rows of one scheduler. A consumer of its own may set deadlines, too: in the transaction of its checkpoint. */
export class DeadlineTable {
  constructor(private readonly scheduler: string) {}

  apply = (tx: Transaction, siteId: string, change: DeadlineChange): Promise<void> => this.applyAll(tx, [{ siteId, change }]);

  /** In their order. What they come to is one statement for all that is set and one for all that is cleared. */
  async applyAll(tx: Transaction, changes: readonly SiteChange[]): Promise<void> {
    let wanted = new Map<string, Wanted>();
    for (const { siteId, change } of changes) {
      if ('clear' in change) wanted.set(change.clear, null);
      else if ('set' in change) wanted.set(change.set, { siteId, topic: change.topic, at: Date.parse(change.at) });
      else if ('move' in change) {
        const known = wanted.get(change.move);
        if (known) wanted.set(change.move, { ...known, at: Date.parse(change.at) });
        else if (known === undefined) await this.move(tx, change.move, Date.parse(change.at));
      } else {
        await this.store(tx, wanted);
        wanted = new Map();
        await this.wakeSite(tx, change.wakeSite, Date.parse(change.at));
      }
    }
    await this.store(tx, wanted);
  }

  private async store(tx: Transaction, wanted: ReadonlyMap<string, Wanted>): Promise<void> {
    const cleared = [...wanted].flatMap(([key, row]) => (row === null ? [key] : []));
    const set = [...wanted].flatMap(([key, row]) => (row === null ? [] : [{ key, ...row }]));
    if (cleared.length > 0) await tx.query('DELETE FROM deadline WHERE scheduler = $1 AND key = ANY ($2)', [this.scheduler, cleared]);
    if (set.length === 0) return;
    await tx.query(
      `INSERT INTO deadline (scheduler, key, site_id, topic, due_ms, next_ms)
       SELECT $1, key, site_id, topic, due_ms, due_ms FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[]) AS new (key, site_id, topic, due_ms)
       ON CONFLICT (scheduler, key) DO UPDATE SET topic = excluded.topic, due_ms = excluded.due_ms, next_ms = excluded.next_ms, attempts = 0`,
      [this.scheduler, set.map(({ key }) => key), set.map(({ siteId }) => siteId), set.map(({ topic }) => topic), set.map(({ at }) => at)],
    );
  }

  private move = (tx: Transaction, key: string, at: number) =>
    tx.query('UPDATE deadline SET due_ms = $3, next_ms = $3, attempts = 0 WHERE scheduler = $1 AND key = $2', [this.scheduler, key, at]);

  private wakeSite = (tx: Transaction, siteId: string, at: number) =>
    tx.query('UPDATE deadline SET next_ms = $3, attempts = 0 WHERE scheduler = $1 AND site_id = $2 AND due_ms <= $3', [this.scheduler, siteId, at]);

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
