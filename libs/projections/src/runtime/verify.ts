import type { EventStore } from '@app/event-store';
import type { Pool, PoolClient } from 'pg';
import type { AnyProjection } from '../projection';
import { createScratchTable } from '../table/ddl';
import { quoted, servingTable, shapeOf } from '../table/shape';
import { Build } from './build';
import { COLUMNS, type Generation } from './generations';
import { skippedBy } from './skips';

/** `missing`: the log gives this row, the table lacks it. `extra`: the reverse. `different`: both have it, not the same. */
export type Difference = { readonly id: string; readonly kind: 'missing' | 'extra' | 'different' };
export type Verified = { readonly position: bigint; readonly rows: bigint; readonly differences: readonly Difference[] };

const PAGE = 5_000;
const PORTION = 20_000;
const ROWS_KEPT = 100_000;

/**
 * Folds the log into a scratch table of this session and compares it, row by row, with what serves. The comparison sees one snapshot,
 * in which rows and checkpoint belong together, so the read model may go on meanwhile. Undefined: the serving version is another one.
 */
export const verify = async (pool: Pool, store: EventStore, p: AnyProjection, signal: AbortSignal): Promise<Verified | undefined> => {
  const client = await pool.connect();
  try {
    return await replayAndCompare(client, store, p, signal);
  } finally {
    // Closing the connection is what removes the scratch table in every case.
    client.release(true);
  }
};

const replayAndCompare = async (client: PoolClient, store: EventStore, p: AnyProjection, signal: AbortSignal) => {
  const scratch = `${p.name}__verify`;
  const before = await servingOf(client, p.name);
  if (before?.version !== p.version) return undefined;
  await client.query(createScratchTable(shapeOf(p), scratch));
  const build = new Build(p, { ...before, position: 0n }, (await skippedBy(client, [p]))(before), ROWS_KEPT, signal, scratch);
  await replay(build, client, store, before.position);
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  const now = await servingOf(client, p.name);
  if (now?.version !== p.version) return undefined;
  await replay(build, client, store, now.position);
  const { rows } = await client.query<Difference>(
    `SELECT coalesce(t.id, s.id) AS id, CASE WHEN t.id IS NULL THEN 'missing' WHEN s.id IS NULL THEN 'extra' ELSE 'different' END AS kind
     FROM ${quoted(servingTable(p.name))} t FULL JOIN ${quoted(scratch)} s ON s.id = t.id
     WHERE t.id IS NULL OR s.id IS NULL OR t.* IS DISTINCT FROM s.* ORDER BY 1`,
  );
  const count = await client.query<{ n: bigint }>(`SELECT count(*) AS n FROM ${quoted(scratch)}`);
  return { position: now.position, rows: count.rows[0]!.n, differences: rows };
};

const servingOf = async (client: PoolClient, name: string): Promise<Generation | undefined> =>
  (await client.query<Generation>(`SELECT ${COLUMNS} FROM es_projection WHERE name = $1 AND role = 'serving'`, [name])).rows[0];

/** Up to exactly this position: one event more and rows would differ that are right. */
const replay = async (build: Build, client: PoolClient, store: EventStore, to: bigint) => {
  if (build.position >= to) return;
  let unwritten = 0;
  for await (const page of store.readAll(build.position, { pageSize: PAGE, signal: build.signal })) {
    const wanted = page.filter(({ position }) => position <= to);
    await build.take(wanted, client);
    unwritten += wanted.length;
    if (wanted.length < page.length || build.position >= to) break;
    if (unwritten < PORTION) continue;
    await build.writeRows(client);
    unwritten = 0;
  }
  build.signal.throwIfAborted();
  await build.writeRows(client);
};
