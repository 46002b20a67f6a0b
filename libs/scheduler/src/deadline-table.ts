import type { Transaction } from '@app/event-store';
import type { Deadline, DeadlineChange } from './deadline';

type Row = { readonly key: string; readonly site_id: string; readonly topic: string; readonly due_ms: string; readonly attempts: number; readonly event_id: string | null };

/** `eventId` is the event that brings the change. */
export type SiteChange = { readonly siteId: string; readonly change: DeadlineChange; readonly eventId: string };
/** What is to become of a key; null: it goes. */
type Wanted = { readonly siteId: string; readonly topic: string; readonly at: number; readonly eventId: string } | null;

/** The rows of one scheduler. A consumer of its own may set deadlines, too: in the transaction of its checkpoint. */
export class DeadlineTable {
  constructor(private readonly scheduler: string) {}

  apply = (tx: Transaction, change: SiteChange): Promise<void> => this.applyAll(tx, [change]);

  /** In their order. What they come to is one statement for all that is set and one for all that is cleared. */
  async applyAll(tx: Transaction, changes: readonly SiteChange[]): Promise<void> {
    let wanted = new Map<string, Wanted>();
    for (const { siteId, change, eventId } of changes) {
      if ('clear' in change) wanted.set(change.clear, null);
      else if ('set' in change) wanted.set(change.set, { siteId, topic: change.topic, at: Date.parse(change.at), eventId });
      else if ('move' in change) {
        const known = wanted.get(change.move);
        if (known) wanted.set(change.move, { ...known, at: Date.parse(change.at), eventId });
        else if (known === undefined) await this.move(tx, change.move, Date.parse(change.at), eventId);
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
      `INSERT INTO deadline (scheduler, key, site_id, topic, due_ms, next_ms, event_id)
       SELECT $1, key, site_id, topic, due_ms, due_ms, event_id
       FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[]) AS new (key, site_id, topic, due_ms, event_id)
       ON CONFLICT (scheduler, key) DO UPDATE SET topic = excluded.topic, due_ms = excluded.due_ms, next_ms = excluded.next_ms, event_id = excluded.event_id, attempts = 0`,
      [this.scheduler, set.map(({ key }) => key), set.map(({ siteId }) => siteId), set.map(({ topic }) => topic), set.map(({ at }) => at), set.map(({ eventId }) => eventId)],
    );
  }

  private move = (tx: Transaction, key: string, at: number, eventId: string) =>
    tx.query('UPDATE deadline SET due_ms = $3, next_ms = $3, event_id = $4, attempts = 0 WHERE scheduler = $1 AND key = $2', [this.scheduler, key, at, eventId]);

  private wakeSite = (tx: Transaction, siteId: string, at: number) =>
    tx.query('UPDATE deadline SET next_ms = $3, attempts = 0 WHERE scheduler = $1 AND site_id = $2 AND due_ms <= $3', [this.scheduler, siteId, at]);

  /** The one that has waited longest, locked until the transaction ends. Those that another process holds are passed over, never waited for. */
  async claim(tx: Transaction, now: Date): Promise<(Deadline & { readonly attempts: number }) | null> {
    const { rows } = await tx.query<Row>(
      `SELECT key, site_id, topic, due_ms, attempts, event_id FROM deadline WHERE scheduler = $1 AND next_ms <= $2
       ORDER BY next_ms LIMIT 1 FOR UPDATE SKIP LOCKED`,
      [this.scheduler, now.getTime()],
    );
    const row = rows[0];
    return row ? { key: row.key, siteId: row.site_id, topic: row.topic, dueAt: new Date(Number(row.due_ms)), eventId: row.event_id, attempts: row.attempts } : null;
  }

  /** A schedule goes on: what set it stays what set it. */
  dueAgain = (tx: Transaction, key: string, at: Date) =>
    tx.query('UPDATE deadline SET due_ms = $3, next_ms = $3, attempts = 0 WHERE scheduler = $1 AND key = $2', [this.scheduler, key, at.getTime()]);

  done = (tx: Transaction, key: string) => tx.query('DELETE FROM deadline WHERE scheduler = $1 AND key = $2', [this.scheduler, key]);

  again = (tx: Transaction, key: string, at: Date) =>
    tx.query('UPDATE deadline SET next_ms = $3, attempts = attempts + 1 WHERE scheduler = $1 AND key = $2', [this.scheduler, key, at.getTime()]);
}
