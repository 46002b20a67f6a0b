import type { Transaction } from '@app/event-store';
import type { Notification } from '../notification.schema';
import type { Delivery, Target } from './routing.policy';
import { targetKey } from './routing.policy';

/** A message that is being sent by this process; nobody else takes it before `CLAIM` is over. `attempt` counts this one. */
export type Waiting = { readonly deliveryId: string; readonly siteId: string; readonly target: Target; readonly notification: Notification; readonly collected: boolean; readonly attempt: number; /** What is told of; null in rows of an older version. */ readonly eventId: string | null };

type Row = { readonly delivery_id: string; readonly site_id: string; readonly target: Target; readonly notification: Notification; readonly collected: boolean; readonly attempts: number; readonly event_id: string | null };

/** Longer than any sink may take, so that no message is sent by two processes unless one of them is dead. */
const CLAIM_MS = 120_000;
/** Of one digest. What is beyond goes into the next message. */
const MOST_TOGETHER = 100;

export const migrateNotifications = async (client: Transaction): Promise<void> => {
  await client.query(`
    CREATE TABLE IF NOT EXISTS notification_outbox (
      delivery_id text PRIMARY KEY, site_id text NOT NULL, target jsonb NOT NULL, target_key text NOT NULL, notification jsonb NOT NULL, collected boolean NOT NULL,
      next_ms bigint, attempts integer NOT NULL DEFAULT 0, made_at timestamptz NOT NULL DEFAULT clock_timestamp())`);
  await client.query('ALTER TABLE notification_outbox ADD COLUMN IF NOT EXISTS event_id text');
  await client.query('CREATE INDEX IF NOT EXISTS notification_outbox_next ON notification_outbox (next_ms) WHERE next_ms IS NOT NULL');
  await client.query('CREATE TABLE IF NOT EXISTS decision_link_used (link_id text PRIMARY KEY, used_at timestamptz NOT NULL DEFAULT clock_timestamp(), expires_at timestamptz NOT NULL)');
};

/** What waits to be sent. A row without a time was given up; it stays until it is replayed. */
export class Outbox {
  /** In the transaction of the consumer's checkpoint, so that an event is told of exactly if it counts as handled. */
  async add(tx: Transaction, notification: Notification, wanted: readonly Delivery[], eventId: string): Promise<void> {
    if (wanted.length === 0) return;
    await tx.query(
      `INSERT INTO notification_outbox (delivery_id, site_id, target, target_key, notification, collected, next_ms, event_id)
       SELECT d.delivery_id, $1, d.target, d.target_key, $2, d.collected, d.next_ms, $8
       FROM unnest($3::text[], $4::jsonb[], $5::text[], $6::boolean[], $7::bigint[]) AS d (delivery_id, target, target_key, collected, next_ms) ON CONFLICT DO NOTHING`,
      [
        notification.siteId, JSON.stringify(notification), wanted.map(({ deliveryId }) => deliveryId), wanted.map(({ target }) => JSON.stringify(target)), wanted.map(({ target }) => targetKey(target)),
        wanted.map(({ collected }) => collected), wanted.map(({ notBefore }) => notBefore.getTime()), eventId,
      ],
    );
  }

  /**
   * The oldest that is due, and with a digest everything that is due for the same target: one hand at a time takes from a target, or several would send a
   * part of it each.
   */
  async claim(db: Transaction, now: Date): Promise<readonly Waiting[]> {
    const { rows } = await db.query<Row>(
      `WITH first AS (SELECT delivery_id, site_id, target_key, collected FROM notification_outbox
                         WHERE next_ms <= $1 AND (NOT collected OR pg_try_advisory_xact_lock(hashtextextended(site_id || ' ' || target_key, 4600)))
                         ORDER BY next_ms LIMIT 1 FOR UPDATE SKIP LOCKED),
            taken AS (SELECT o.delivery_id FROM notification_outbox o JOIN first f ON o.delivery_id = f.delivery_id
                         OR (f.collected AND o.collected AND o.site_id = f.site_id AND o.target_key = f.target_key AND o.next_ms <= $1)
                      ORDER BY o.next_ms LIMIT ${MOST_TOGETHER} FOR UPDATE OF o SKIP LOCKED)
       UPDATE notification_outbox o SET next_ms = $1 + ${CLAIM_MS}, attempts = o.attempts + 1 FROM taken WHERE o.delivery_id = taken.delivery_id
       RETURNING o.delivery_id, o.site_id, o.target, o.notification, o.collected, o.attempts, o.event_id`,
      [now.getTime()],
    );
    return rows.map(({ delivery_id: deliveryId, site_id: siteId, attempts: attempt, event_id: eventId, ...row }) => ({ deliveryId, siteId, attempt, eventId, ...row }))
      .sort((a, b) => (a.notification.at < b.notification.at ? -1 : 1));
  }

  sent = (db: Transaction, deliveryIds: readonly string[]) => db.query('DELETE FROM notification_outbox WHERE delivery_id = ANY ($1)', [deliveryIds]);

  /** Null: given up. */
  again = (db: Transaction, deliveryIds: readonly string[], at: Date | null) => db.query('UPDATE notification_outbox SET next_ms = $2 WHERE delivery_id = ANY ($1)', [deliveryIds, at?.getTime() ?? null]);

  /** Sends it once more, whatever became of it before. False when nothing of the site waits under this id any more. */
  async replay(db: Transaction, siteId: string, deliveryId: string, now: Date): Promise<boolean> {
    return (await db.query('UPDATE notification_outbox SET next_ms = $3 WHERE delivery_id = $1 AND site_id = $2 RETURNING 1', [deliveryId, siteId, now.getTime()])).rowCount === 1;
  }

  /** When something is due next; undefined when nothing is. */
  async next(db: Transaction): Promise<Date | undefined> {
    const { rows } = await db.query<{ next_ms: string | null }>('SELECT min(next_ms) AS next_ms FROM notification_outbox WHERE next_ms IS NOT NULL');
    return rows[0]?.next_ms ? new Date(Number(rows[0].next_ms)) : undefined;
  }
}
