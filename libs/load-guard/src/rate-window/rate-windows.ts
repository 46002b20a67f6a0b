import type { Transaction } from '@app/event-store';

/**
 * At most `limit` slots in any stretch of `windowMs`. Equal keys share one window, in all processes. A call takes one slot, or as many as `slots` says;
 * one that needs more than there are is never let in.
 */
export type RateWindow = { readonly key: string; readonly limit: number; readonly windowMs: number; readonly slots?: number };

/** The window that refused, and the milliseconds until it has room. */
export type WindowFull = { readonly key: string; readonly retryAfterMs: number };

/** Sliding windows over the calls of all processes. */
export class RateWindows {
  constructor(private readonly db: Transaction) {}

  /**
   * Takes its slots in every window or, when one of them is full, in none; null when all were taken. `ref` names the call: asking again for a call
   * that has its slots takes no more. Of several full windows the one with the longest wait is named.
   */
  async take(windows: readonly RateWindow[], ref: string, now: Date): Promise<WindowFull | null> {
    // In one order everywhere, so that two calls never wait for each other.
    const sorted = windows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
    const { rows } = await this.db.query<{ full_key: string | null; wait_ms: string | null }>('SELECT full_key, wait_ms FROM rate_take($1, $2, $3, $4, $5, $6)', [
      sorted.map(({ key }) => key), sorted.map(({ limit }) => limit), sorted.map(({ windowMs }) => windowMs), ref, now.getTime(), sorted.map(({ slots = 1 }) => slots),
    ]);
    const { full_key: key = null, wait_ms: waitMs = null } = rows[0] ?? {};
    return key === null ? null : { key, retryAfterMs: Math.max(1, Number(waitMs)) };
  }
}
