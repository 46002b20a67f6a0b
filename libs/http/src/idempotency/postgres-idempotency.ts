import { newEventId } from '@app/event-store';
import { EventEmitter, once } from 'node:events';
import type { Pool } from 'pg';
import { IdempotencyStore, type Claim, type IdempotentRequest, type RecordedAnswer, type Reservation } from './idempotency-store';

export type PostgresIdempotencyOptions = {
  /** How long a key and its answer are kept. Default 24 h. */
  readonly keepMs?: number;
  /** How long a holder may be silent before another attempt takes over. Default 15 s; renewed three times as often. */
  readonly leaseMs?: number;
};

type Found = { fingerprint: string; expired: boolean; lapsed: boolean; status: number | null; headers: string | null; body: string | null };

/** Rows removed by one sweep, so that it never holds many locks. */
const SWEEP = 1_000;

/** Keys in PostgreSQL, so that every process sees them. All times are the database's: clocks of processes may differ. */
export class PostgresIdempotency extends IdempotencyStore {
  override readonly renewEveryMs: number;
  private readonly keepMs: number;
  private readonly leaseMs: number;
  private readonly changes = new EventEmitter().setMaxListeners(0);

  constructor(private readonly pool: Pick<Pool, 'query'>, { keepMs = 86_400_000, leaseMs = 15_000 }: PostgresIdempotencyOptions = {}) {
    super();
    this.keepMs = keepMs;
    this.leaseMs = leaseMs;
    this.renewEveryMs = leaseMs / 3;
  }

  override async claim(request: IdempotentRequest): Promise<Claim> {
    const owner = newEventId();
    const { scope, fingerprint, path = '' } = request;
    const { rowCount } = await this.query(
      `INSERT INTO http_idempotency (scope, fingerprint, command_id, owner, lease_until, expires_at, path)
       VALUES ($1, $2, $3, $3, clock_timestamp() + $4 * interval '1 ms', clock_timestamp() + $5 * interval '1 ms', $6) ON CONFLICT DO NOTHING`,
      [scope, fingerprint, owner, this.leaseMs, this.keepMs, path],
    );
    return rowCount === 1 ? { state: 'reserved', reservation: { scope, owner, commandId: owner, repeated: false } } : this.examine(request, owner);
  }

  override async complete({ scope, commandId }: Reservation, answer: RecordedAnswer): Promise<RecordedAnswer> {
    const { rowCount } = await this.query(
      `UPDATE http_idempotency SET status = $3, headers = $4, body = $5 WHERE scope = $1 AND command_id = $2 AND status IS NULL`,
      [scope, commandId, answer.status, JSON.stringify(answer.headers), answer.body],
    );
    this.changes.emit(scope);
    if (rowCount === 1) return answer;
    const { rows } = await this.query<Found>('SELECT status, headers, body FROM http_idempotency WHERE scope = $1 AND command_id = $2', [scope, commandId]);
    return (rows[0] && answerOf(rows[0])) ?? answer;
  }

  override async forget({ scope, owner }: Reservation) {
    await this.query('DELETE FROM http_idempotency WHERE scope = $1 AND owner = $2 AND status IS NULL', [scope, owner]);
    this.changes.emit(scope);
  }

  override async release({ scope, owner }: Reservation) {
    await this.query('UPDATE http_idempotency SET lease_until = clock_timestamp() WHERE scope = $1 AND owner = $2 AND status IS NULL', [scope, owner]);
    this.changes.emit(scope);
  }

  override async renew({ scope, owner }: Reservation) {
    await this.query(
      `UPDATE http_idempotency SET lease_until = clock_timestamp() + $3 * interval '1 ms' WHERE scope = $1 AND owner = $2 AND status IS NULL`,
      [scope, owner, this.leaseMs],
    );
  }

  override async changed(scope: string, ms: number, signal: AbortSignal) {
    const until = AbortSignal.any([signal, AbortSignal.timeout(ms)]);
    await once(this.changes, scope, { signal: until }).catch(() => undefined);
  }

  override async withdraw(ids: readonly string[], keeping: readonly string[] = []) {
    const { rowCount } = await this.query(
      `UPDATE http_idempotency SET status = 410, headers = $2, body = $3
       WHERE status IS NOT NULL AND coalesce(path, '') <> ALL ($4::text[]) AND EXISTS (SELECT 1 FROM unnest($1::text[]) AS about (id) WHERE strpos(path, id) > 0 OR strpos(body, id) > 0)`,
      [ids, JSON.stringify({ 'content-type': 'application/problem+json; charset=utf-8' }), WITHDRAWN, keeping],
    );
    return rowCount ?? 0;
  }

  override async sweep() {
    const { rowCount } = await this.query(
      `DELETE FROM http_idempotency WHERE scope IN
         (SELECT scope FROM http_idempotency WHERE expires_at <= clock_timestamp() LIMIT ${SWEEP} FOR UPDATE SKIP LOCKED)`,
      [],
    );
    return rowCount ?? 0;
  }

  /** Somebody has the key already. */
  private async examine(request: IdempotentRequest, owner: string): Promise<Claim> {
    const { scope, fingerprint } = request;
    const { rows } = await this.query<Found>(
      `SELECT fingerprint, status, headers, body, expires_at <= clock_timestamp() AS expired, lease_until <= clock_timestamp() AS lapsed
       FROM http_idempotency WHERE scope = $1`,
      [scope],
    );
    const row = rows[0];
    if (!row) return this.claim(request);
    if (row.expired) {
      await this.query('DELETE FROM http_idempotency WHERE scope = $1 AND expires_at <= clock_timestamp()', [scope]);
      return this.claim(request);
    }
    if (row.fingerprint !== fingerprint) return { state: 'other-request' };
    const answer = answerOf(row);
    if (answer) return { state: 'answered', answer };
    return row.lapsed ? this.takeOver(scope, owner) : { state: 'in-progress' };
  }

  private async takeOver(scope: string, owner: string): Promise<Claim> {
    const { rows } = await this.query<{ command_id: string }>(
      `UPDATE http_idempotency SET owner = $2, lease_until = clock_timestamp() + $3 * interval '1 ms'
       WHERE scope = $1 AND status IS NULL AND lease_until <= clock_timestamp() RETURNING command_id`,
      [scope, owner, this.leaseMs],
    );
    const taken = rows[0];
    return taken ? { state: 'reserved', reservation: { scope, owner, commandId: taken.command_id, repeated: true } } : { state: 'in-progress' };
  }

  private query = <Row extends object>(text: string, values: unknown[]) => this.pool.query<Row & Record<string, unknown>>(text, values);
}

/** What a repeat is told; the effect that its first attempt had stands. */
const WITHDRAWN = JSON.stringify({
  type: '/problems/gone', title: 'Gone', status: 410, code: 'GONE', detail: 'This was answered before, and the answer was forgotten since. The request had its effect and is not carried out again.',
});

const answerOf = ({ status, headers, body }: Pick<Found, 'status' | 'headers' | 'body'>): RecordedAnswer | undefined =>
  status === null ? undefined : { status, headers: JSON.parse(headers ?? '{}') as Record<string, string>, body: body ?? '' };
