import type { Recorded } from '@app/kernel';
import type { Transaction } from './database';
import type { Lease } from './lease';

/** An event that a consumer went on without, for operators. `error`: what the last attempt failed of. */
export type ParkedEvent = {
  readonly consumer: string; readonly position: bigint; readonly attempts: number; readonly error: string; readonly parkedAt: Date; readonly nextTryAt: Date;
};

/** Between attempts on a parked event: doubles from a minute to an hour, so that a fault of a night costs some attempts and not some thousands. */
const FIRST_PAUSE = '1 minute';
const LONGEST_PAUSE = '1 hour';
const MAX_ERROR_CHARACTERS = 2_000;

const nextTry = (attempts: string) => `clock_timestamp() + least(interval '${LONGEST_PAUSE}', interval '${FIRST_PAUSE}' * power(2, least(${attempts}, 20)))`;
const textOf = (error: unknown) => String(error).replaceAll('\0', '').slice(0, MAX_ERROR_CHARACTERS);

/** In the transaction that moves the checkpoint over the event: it is either in front of the checkpoint or here, never lost in between. */
export const park = async (tx: Transaction, { name, slice }: Lease, event: Recorded, attempts: number, error: unknown): Promise<void> => {
  await tx.query(
    `INSERT INTO es_parked_event (consumer, slice, position, attempts, error, next_try_at) VALUES ($1, $2, $3, $4, $5, ${nextTry('0')}) ON CONFLICT DO NOTHING`,
    [name, slice, String(event.position), attempts, textOf(error)],
  );
};

/** The oldest event whose time has come. */
export const dueEvent = async (db: Transaction, { name, slice }: Lease): Promise<bigint | undefined> => {
  const { rows } = await db.query<{ position: string }>(
    'SELECT position FROM es_parked_event WHERE consumer = $1 AND slice = $2 AND next_try_at <= clock_timestamp() ORDER BY position LIMIT 1', [name, slice],
  );
  return rows[0] && BigInt(rows[0].position);
};

export const unpark = async (tx: Transaction, { name }: Lease, position: bigint): Promise<void> => {
  await tx.query('DELETE FROM es_parked_event WHERE consumer = $1 AND position = $2', [name, String(position)]);
};

export const postpone = async (db: Transaction, { name }: Lease, position: bigint, error: unknown): Promise<void> => {
  await db.query(
    `UPDATE es_parked_event SET attempts = attempts + 1, error = $3, next_try_at = ${nextTry('attempts - 4')} WHERE consumer = $1 AND position = $2`,
    [name, String(position), textOf(error)],
  );
};

/** All of them, the oldest first, at most `limit`. */
export const parkedEvents = async (db: Transaction, limit: number): Promise<readonly ParkedEvent[]> => {
  const { rows } = await db.query<{ consumer: string; position: string; attempts: number; error: string; parked_at: Date; next_try_at: Date }>(
    'SELECT consumer, position, attempts, error, parked_at, next_try_at FROM es_parked_event ORDER BY position, consumer LIMIT $1', [limit],
  );
  return rows.map(({ consumer, position, attempts, error, parked_at, next_try_at }) => ({
    consumer, position: BigInt(position), attempts, error, parkedAt: parked_at, nextTryAt: next_try_at,
  }));
};

/** Lets the consumer try one of them again within seconds. False when there is none such. */
export const retryParkedEvent = async (db: Transaction, consumer: string, position: bigint): Promise<boolean> => {
  const { rowCount } = await db.query('UPDATE es_parked_event SET next_try_at = clock_timestamp() WHERE consumer = $1 AND position = $2', [consumer, String(position)]);
  return rowCount === 1;
};
