import type { Transaction } from '@app/event-store';

export type CallKey = { readonly runId: string; readonly callId: string };
export type OfferedCall = CallKey & {
  readonly siteId: string;
  readonly tool: string;
  /** As it is kept, see `Boxes`. */
  readonly input: string;
  readonly leaseMs: number;
  /** After a lost lease it is offered again; another call is then in doubt. */
  readonly repeatable: boolean;
  /** Of the one who waits: only the last of them takes the row away. */
  readonly waiter: string;
};
export type LeasedCall = CallKey & { readonly tool: string; readonly input: string; readonly leaseId: string; readonly leaseUntil: Date; readonly leaseMs: number };
export type CallState = CallKey & { readonly state: 'offered' | 'leased' | 'executed' | 'failed' | 'unknown'; readonly outcome: string | null };
export type Place = { readonly siteId: string; readonly tool: string };
export type Lease = { readonly leaseId: string; readonly siteId: string; readonly worker: string };
/** `ended`: it was this worker's, and is not any more. */
export type LeaseAnswer<T> = { readonly held: T } | 'ended' | undefined;

/** A process that does not say for so long that it waits is taken for gone. */
const WANTED_MS = 10_000;
const MS = `interval '1 millisecond'`;

/** The statements on the table that all processes share. Times are the database's, so that clocks need not agree. */
export class WorkerCallTable {
  constructor(private readonly db: Transaction) {}

  /** A call that is there already is joined. One in doubt is offered again: somebody has found out that it did not happen. */
  async offer({ runId, callId, siteId, tool, input, leaseMs, repeatable, waiter }: OfferedCall): Promise<void> {
    await this.db.query(
      `INSERT INTO worker_call AS c (run_id, call_id, site_id, tool, input, lease_ms, repeatable, waiter, wanted_until) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp() + $9 * ${MS})
       ON CONFLICT (run_id, call_id) DO UPDATE SET waiter = excluded.waiter, wanted_until = excluded.wanted_until, input = excluded.input, repeatable = excluded.repeatable,
         state = CASE c.state WHEN 'unknown' THEN 'offered' ELSE c.state END`,
      [runId, callId, siteId, tool, input, leaseMs, repeatable, waiter, WANTED_MS],
    );
  }

  async withdraw({ runId, callId }: CallKey, waiter: string): Promise<void> {
    await this.db.query('DELETE FROM worker_call WHERE run_id = $1 AND call_id = $2 AND waiter = $3', [runId, callId, waiter]);
  }

  /** The oldest offer of these tools; two workers never get the same one. `unsealed`: only one that holds no secret. */
  async take(siteId: string, tools: readonly string[], worker: string, leaseId: string, unsealed = false): Promise<LeasedCall | undefined> {
    const { rows } = await this.db.query<{ run_id: string; call_id: string; tool: string; input: string; lease_until: Date; lease_ms: number }>(
      `UPDATE worker_call SET state = 'leased', lease_id = $4, worker = $3, lease_until = clock_timestamp() + lease_ms * ${MS}
       WHERE (run_id, call_id) = (SELECT run_id, call_id FROM worker_call WHERE site_id = $1 AND tool = ANY($2) AND state = 'offered' AND wanted_until > clock_timestamp() AND NOT ($5 AND starts_with(input, 'sealed:'))
                                  ORDER BY offered_at LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING run_id, call_id, tool, input, lease_until, lease_ms`,
      [siteId, tools, worker, leaseId, unsealed],
    );
    const [row] = rows;
    return row && { runId: row.run_id, callId: row.call_id, tool: row.tool, input: row.input, leaseId, leaseUntil: row.lease_until, leaseMs: row.lease_ms };
  }

  /** For a worker that left before it was told what it had taken. */
  async giveBack({ leaseId, siteId, worker }: Lease): Promise<void> {
    await this.db.query(`UPDATE worker_call SET state = 'offered' WHERE lease_id = $1 AND site_id = $2 AND worker = $3 AND state = 'leased'`, [leaseId, siteId, worker]);
  }

  renew = (lease: Lease): Promise<LeaseAnswer<{ readonly leaseUntil: Date; readonly leaseMs: number }>> =>
    this.whileHeld<{ lease_until: Date; lease_ms: number }, { readonly leaseUntil: Date; readonly leaseMs: number }>(
      lease, `lease_until = clock_timestamp() + lease_ms * ${MS}`, [], (row) => ({ leaseUntil: row.lease_until, leaseMs: row.lease_ms }),
    );

  settle = (lease: Lease, state: 'executed' | 'failed', outcome: string): Promise<LeaseAnswer<CallKey>> =>
    this.whileHeld<{ run_id: string; call_id: string }, CallKey>(lease, 'state = $4, outcome = $5', [state, outcome], (row) => ({ runId: row.run_id, callId: row.call_id }));

  async keyOf({ leaseId, siteId, worker }: Lease): Promise<CallKey | undefined> {
    const { rows } = await this.db.query<{ run_id: string; call_id: string }>('SELECT run_id, call_id FROM worker_call WHERE lease_id = $1 AND site_id = $2 AND worker = $3', [leaseId, siteId, worker]);
    return rows[0] && { runId: rows[0].run_id, callId: rows[0].call_id };
  }

  /** What becomes of leases whose worker was not heard of. */
  async expireLeases(): Promise<void> {
    await this.db.query(`UPDATE worker_call SET state = CASE WHEN repeatable THEN 'offered' ELSE 'unknown' END WHERE state = 'leased' AND lease_until <= clock_timestamp()`);
  }

  async want(keys: readonly CallKey[]): Promise<void> {
    await this.db.query(
      `UPDATE worker_call SET wanted_until = clock_timestamp() + $3 * ${MS} FROM unnest($1::text[], $2::text[]) AS k (run, call) WHERE run_id = k.run AND call_id = k.call`,
      [keys.map(({ runId }) => runId), keys.map(({ callId }) => callId), WANTED_MS],
    );
  }

  async statesOf(keys: readonly CallKey[]): Promise<readonly CallState[]> {
    const { rows } = await this.db.query<{ run_id: string; call_id: string; state: CallState['state']; outcome: string | null }>(
      'SELECT run_id, call_id, state, outcome FROM worker_call JOIN unnest($1::text[], $2::text[]) AS k (run, call) ON run_id = k.run AND call_id = k.call',
      [keys.map(({ runId }) => runId), keys.map(({ callId }) => callId)],
    );
    return rows.map(({ run_id: runId, call_id: callId, state, outcome }) => ({ runId, callId, state, outcome }));
  }

  async offers(): Promise<readonly Place[]> {
    const { rows } = await this.db.query<{ site_id: string; tool: string }>(`SELECT DISTINCT site_id, tool FROM worker_call WHERE state = 'offered' AND wanted_until > clock_timestamp()`);
    return rows.map(({ site_id: siteId, tool }) => ({ siteId, tool }));
  }

  private async whileHeld<Row extends object, T>({ leaseId, siteId, worker }: Lease, set: string, values: readonly unknown[], read: (row: Row) => T): Promise<LeaseAnswer<T>> {
    const mine = 'lease_id = $1 AND site_id = $2 AND worker = $3';
    const { rows } = await this.db.query<Row & Record<string, unknown>>(
      `UPDATE worker_call SET ${set} WHERE ${mine} AND state = 'leased' AND lease_until > clock_timestamp() RETURNING *`, [leaseId, siteId, worker, ...values],
    );
    if (rows[0]) return { held: read(rows[0]) };
    const { rowCount } = await this.db.query(`SELECT 1 FROM worker_call WHERE ${mine}`, [leaseId, siteId, worker]);
    return rowCount ? 'ended' : undefined;
  }
}
