import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type { PoolClient } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Changes, Written } from '../runtime/row-buffer';
import type { Generation, Queries } from '../runtime/generations';
import { copyField, encode } from './encode';
import { commitStatement, copyStatement, deleteStatement, loadStatement, upsertStatement } from './statements';
import type { Shape } from './shape';

/** Below this many rows one array statement is faster than opening a COPY. */
const WORTH_A_COPY = 200;

/** Reads and writes the rows of one table. Statements are prepared once per connection. */
export class TableWriter {
  private readonly loading: { readonly name: string; readonly text: string };
  private readonly committing: { readonly name: string; readonly text: string };
  private readonly upserting: { readonly name: string; readonly text: string };

  constructor(
    private readonly shape: Shape,
    private readonly table: string,
    unique: string,
  ) {
    this.loading = { name: `load ${unique}`, text: loadStatement(shape, table) };
    this.committing = { name: `commit ${unique}`, text: commitStatement(shape, table) };
    this.upserting = { name: `upsert ${unique}`, text: upsertStatement(shape, table) };
  }

  async load(db: Queries, ids: readonly string[]): Promise<readonly Written[]> {
    const { rows } = await db.query<unknown[]>({ ...this.loading, values: [ids], rowMode: 'array' });
    return rows.map((values) => {
      const row = Object.fromEntries(this.shape.columns.map(({ field }, i) => [field, values[i]])) as Record<string, unknown>;
      const { position, ...fields } = row;
      return { row: fields as Written['row'], position: position as bigint };
    });
  }

  /** Rows and checkpoint at once; false when the checkpoint is not this writer's any more, and then nothing was written. */
  async commit(db: Queries, { name, generation, fence }: Generation, from: bigint, to: bigint, changes: Changes): Promise<boolean> {
    const values = [
      name,
      generation,
      String(fence),
      String(from),
      String(to),
      changes.removed,
      ...this.arrays([...changes.added, ...changes.changed]),
    ];
    return (await db.query({ ...this.committing, values })).rowCount === 1;
  }

  /** Writes inside the caller's transaction: rows that are known to be new by COPY, the others by upsert. */
  async write(client: PoolClient, { added, changed, removed }: Changes): Promise<void> {
    const copied = added.length >= WORTH_A_COPY;
    if (copied) await this.copy(client, added);
    const rest = copied ? changed : [...added, ...changed];
    if (rest.length > 0) await client.query({ ...this.upserting, values: this.arrays(rest) });
    if (removed.length > 0) await client.query(deleteStatement(this.table), [removed]);
  }

  private async copy(client: PoolClient, rows: readonly Written[]) {
    await pipeline(Readable.from(this.copyChunks(rows)), client.query(copyFrom(copyStatement(this.shape, this.table))));
  }

  private *copyChunks(rows: readonly Written[]) {
    let chunk = '';
    for (const written of rows) {
      chunk += `${this.shape.columns.map(({ field, type }) => copyField(type, valueOf(written, field))).join('\t')}\n`;
      if (chunk.length < 65_536) continue;
      yield chunk;
      chunk = '';
    }
    if (chunk) yield chunk;
  }

  private arrays = (rows: readonly Written[]) =>
    this.shape.columns.map(({ field, type }) => rows.map((written) => encode(type, valueOf(written, field))));
}

const valueOf = ({ row, position }: Written, field: string) =>
  field === 'position' ? position : (row as unknown as Record<string, unknown>)[field];
