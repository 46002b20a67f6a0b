import type { Pool, PoolClient } from 'pg';
import { setTimeout } from 'node:timers/promises';
import { generationTable, quoted, servingTable } from '../table/shape';
import { announce, COLUMNS, discard, generationsOf, inTransaction, type Generation, type Role } from './generations';

const LOCK_TIMEOUT = '500ms';
const LOCK_NOT_AVAILABLE = '55P03';

export type Exchanged = 'done' | 'behind' | 'gone';

/**
 * Lets another generation serve, by renaming two tables in one transaction: a reader sees the old table or the new one, never none.
 * The tables are locked before the checkpoint rows, as writers do it. `ready` runs under the locks, when the serving generation cannot
 * move any more; it says whether the incoming one may take over. Whoever queues behind the lock waits at most 500 ms.
 */
export const exchange = (
  pool: Pool,
  name: string,
  incoming: { readonly role: Role; readonly generation: number },
  ready: (client: PoolClient, serving: Generation, incoming: Generation) => Promise<Exchanged>,
): Promise<Exchanged> =>
  inTransaction(pool, async (client) => {
    const table = quoted(servingTable(name));
    const shadow = quoted(generationTable(name, incoming.generation));
    await client.query(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'; SET LOCAL synchronous_commit = on`);
    await client.query(`LOCK TABLE ${table}, ${shadow} IN ACCESS EXCLUSIVE MODE`);
    const { rows } = await client.query<Generation>(
      `SELECT ${COLUMNS} FROM es_projection WHERE name = $1 AND (role = 'serving' OR generation = $2) ORDER BY generation FOR UPDATE`,
      [name, incoming.generation],
    );
    const serving = rows.find(({ role }) => role === 'serving');
    const next = rows.find(({ generation, role }) => generation === incoming.generation && role === incoming.role);
    if (!serving || !next) return 'gone';
    const verdict = await ready(client, serving, next);
    if (verdict !== 'done') return verdict;
    await client.query(`ALTER TABLE ${table} RENAME TO ${quoted(generationTable(name, serving.generation))}`);
    await client.query(`ALTER TABLE ${shadow} RENAME TO ${table}`);
    await client.query(
      `UPDATE es_projection SET role = 'kept', owner = NULL, fence = fence + 1 WHERE name = $1 AND generation = $2`,
      [name, serving.generation],
    );
    await client.query(`UPDATE es_projection SET role = 'serving' WHERE name = $1 AND generation = $2`, [name, next.generation]);
    await announce(client, name);
    return 'done';
  });

/** Tries again while long readers hold the tables; each try lets the queue behind it go first. */
export const withLockRetry = async <T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> => {
  for (let pause = 20; ; pause = Math.min(pause * 2, 2_000)) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE) throw error;
      await setTimeout(pause, undefined, signal ? { signal } : {});
    }
  }
};

/** Only the generation that served last is kept for a rollback. */
export const dropOlder = async (pool: Pool, name: string, kept: number): Promise<void> => {
  for (const old of await generationsOf(pool, [name])) {
    if (old.role === 'kept' && old.generation !== kept) await inTransaction(pool, (client) => discard(client, old));
  }
};
