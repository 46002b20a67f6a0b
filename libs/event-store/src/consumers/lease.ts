import { hostname } from 'node:os';
import { newEventId } from '../ids';
import type { Transaction } from './database';
import { LEASE_CHANNEL } from './lease-wakes';

/**
 * The right to work on one slice of a consumer. `fence` rises with every change of hands: a checkpoint moves only under the newest one.
 * `position` is the checkpoint at the time of acquiring.
 */
export type Lease = { readonly name: string; readonly slice: number; readonly fence: bigint; readonly position: bigint };

export type LeaseOptions = {
  /** Names this process in the table; unique per process by default. */
  readonly owner?: string;
  /** How long a lease lives without renewal. A dead leader is replaced after at most this long. */
  readonly ttlMs?: number;
};

type LeaseRow = { slice: number; fence: string; position: string };

/**
 * Leadership by lease rows. Time is the database's alone, so the clocks of processes do not matter. Nothing rests on a session: leases
 * hold behind a transaction pooler, and die with their time and not with a TCP connection. Statements are unnamed for the same reason:
 * a pooler hands each of them to another session.
 */
export class Leases {
  readonly owner: string;
  readonly ttlMs: number;
  /** Since the start of the process: leases taken, tries that found none free, leases found lost at renewal. */
  readonly counts = { acquired: 0, denied: 0, lost: 0 };

  constructor(
    private readonly db: Transaction,
    { owner = `${hostname()}/${process.pid}/${newEventId()}`, ttlMs = 10_000 }: LeaseOptions = {},
  ) {
    this.owner = owner;
    this.ttlMs = ttlMs;
  }

  /** Takes the lease if it is free, else null. A consumer that was never seen starts behind position `from`. */
  async acquire(name: string, slice = 0, from = 0n): Promise<Lease | null> {
    await this.register(name, [slice], from);
    return (await this.claim(name, [slice], 1))[0] ?? null;
  }

  /**
   * Makes the rows of a consumer, so that all of its slices start behind the same position. Existing ones stay as they are, and are looked
   * for first: ON CONFLICT alone would wait for a frozen transaction that moves one of them.
   */
  async register(name: string, slices: readonly number[], from: bigint): Promise<void> {
    await this.db.query(
      `INSERT INTO es_consumer (name, slice, position, fence, owner, expires_at)
       SELECT $1, s, $3, 0, '', '-infinity' FROM unnest($2::int[]) AS s
       WHERE NOT EXISTS (SELECT 1 FROM es_consumer AS c WHERE c.name = $1 AND c.slice = s) ON CONFLICT DO NOTHING`,
      [name, slices, String(from)],
    );
  }

  /** Takes up to `limit` free leases among these slices. Rows that others are taking at this moment are passed over, never waited for. */
  async claim(name: string, slices: readonly number[], limit: number): Promise<readonly Lease[]> {
    const { rows } = await this.db.query<LeaseRow>(
      `WITH free AS MATERIALIZED (
         SELECT slice FROM es_consumer
         WHERE name = $1 AND slice = ANY ($2) AND expires_at <= clock_timestamp()
         ORDER BY slice LIMIT $3 FOR UPDATE SKIP LOCKED)
       UPDATE es_consumer AS c SET fence = c.fence + 1, owner = $4, expires_at = clock_timestamp() + $5 * interval '1 millisecond'
       FROM free WHERE c.name = $1 AND c.slice = free.slice
       RETURNING c.slice, c.fence, c.position`,
      [name, slices, limit, this.owner, this.ttlMs],
    );
    this.counts[rows.length > 0 ? 'acquired' : 'denied'] += Math.max(1, rows.length);
    return rows.map(({ slice, fence, position }) => ({ name, slice, fence: BigInt(fence), position: BigInt(position) }));
  }

  /** Prolongs leases in one round trip and returns those that are still held. The others belong to somebody else by now. */
  async renew(leases: readonly Lease[]): Promise<readonly Lease[]> {
    if (leases.length === 0) return [];
    const { rows } = await this.db.query<{ n: string }>(
      `UPDATE es_consumer AS c SET expires_at = clock_timestamp() + $4 * interval '1 millisecond'
       FROM unnest($1::text[], $2::int[], $3::bigint[]) WITH ORDINALITY AS held(name, slice, fence, n)
       WHERE c.name = held.name AND c.slice = held.slice AND c.fence = held.fence RETURNING n`,
      [...columns(leases), this.ttlMs],
    );
    this.counts.lost += leases.length - rows.length;
    return rows.map(({ n }) => leases[Number(n) - 1]!);
  }

  /** Gives leases back and wakes whoever stands by. */
  async release(leases: readonly Lease[]): Promise<void> {
    await this.db.query(
      `WITH released AS (
         UPDATE es_consumer AS c SET expires_at = '-infinity' FROM unnest($1::text[], $2::int[], $3::bigint[]) AS held(name, slice, fence)
         WHERE c.name = held.name AND c.slice = held.slice AND c.fence = held.fence RETURNING c.name)
       SELECT pg_notify('${LEASE_CHANNEL}', name) FROM (SELECT DISTINCT name FROM released) AS names`,
      columns(leases),
    );
  }

  /** The stored checkpoint, or null when the lease is not ours any more. */
  async position({ name, slice, fence }: Lease): Promise<bigint | null> {
    const { rows } = await this.db.query<{ position: string }>(
      'SELECT position FROM es_consumer WHERE name = $1 AND slice = $2 AND fence = $3',
      [name, slice, String(fence)],
    );
    return rows[0] ? BigInt(rows[0].position) : null;
  }

  /** Milliseconds until the next lease of this consumer runs out, at most a third of a lease's time: when to try again. */
  async retryInMs(name: string): Promise<number> {
    const { rows } = await this.db.query<{ ms: number | null }>(
      `SELECT extract(epoch FROM min(expires_at) - clock_timestamp())::float8 * 1000 AS ms FROM es_consumer
       WHERE name = $1 AND slice >= 0 AND expires_at > clock_timestamp()`,
      [name],
    );
    return Math.min(this.ttlMs / 3, (rows[0]?.ms ?? Infinity) + 1);
  }
}

const columns = (leases: readonly Lease[]) => [
  leases.map(({ name }) => name),
  leases.map(({ slice }) => slice),
  leases.map(({ fence }) => String(fence)),
];

/** The commit must follow an advance at once: the lease row is locked until then, and a process frozen in between loses its session. */
const COMMIT_WITHIN_MS = 1_000;

/**
 * Moves a checkpoint inside the caller's transaction, as its last statement. False: another owner holds the lease or the checkpoint is not
 * at `from`, so whatever the transaction did has been or will be done by somebody else, and the caller must roll back.
 */
export const advance = async (tx: Transaction, { name, slice, fence }: Lease, from: bigint, to: bigint): Promise<boolean> => {
  const { rowCount } = await tx.query(
    `UPDATE es_consumer SET position = $5 WHERE name = $1 AND slice = $2 AND fence = $3 AND position = $4
     RETURNING set_config('idle_in_transaction_session_timeout', '${COMMIT_WITHIN_MS}', true)`,
    [name, slice, String(fence), String(from), String(to)],
  );
  return rowCount === 1;
};
