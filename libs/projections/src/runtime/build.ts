import type { Recorded } from '@app/kernel';
import type { Pool, PoolClient } from 'pg';
import type { AnyProjection } from '../projection';
import { shapeOf, type Shape } from '../table/shape';
import { TableWriter } from '../table/writer';
import { inTransaction, tableOf, type Generation } from './generations';
import { LeaseLost } from './live-loop';
import { PoisonEvent, RowBuffer, type Changes } from './row-buffer';

/** A slice of the fold that is ready to be written: everything up to `to`, given that `from` is stored. */
type Portion = { readonly from: bigint; readonly to: bigint; readonly changes: Changes };

/**
 * One generation on its way through the whole log. It folds in memory and writes portions, so a row that changes a hundred times within
 * a portion is written once; each portion and its checkpoint are one transaction, which is where a killed rebuild goes on.
 */
export class Build {
  readonly shape: Shape;
  private readonly rows: RowBuffer;
  private readonly writer: TableWriter;
  private folded: bigint;
  private taken: bigint;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    readonly p: AnyProjection,
    readonly of: Generation,
    private readonly skipped: ReadonlySet<bigint>,
    rowsKept: number,
    readonly signal: AbortSignal,
    readonly table = tableOf(of),
  ) {
    this.shape = shapeOf(p);
    this.writer = new TableWriter(this.shape, table, `${table} ${of.generation} bulk`);
    this.rows = new RowBuffer(p, rowsKept, of.position === 0n);
    this.folded = this.taken = of.position;
  }

  /** How far the fold has come; the table follows with the next portion. */
  get position() {
    return this.folded;
  }

  /** Folds the part of a page that is new to it. After `PoisonEvent` everything before that event can still be written. */
  async take(page: readonly Recorded[], db: Pool | PoolClient): Promise<void> {
    const last = page.at(-1);
    if (!last || last.position <= this.folded) return;
    const relevant = page.filter((event) => event.position > this.folded && this.rows.concerns(event) && !this.skipped.has(event.position));
    const missing = this.rows.missing(relevant);
    if (missing.length > 0) {
      // A row that is being written right now would be read as it was before.
      await this.writing;
      this.rows.loaded(missing, await this.writer.load(db, missing));
    }
    for (const event of relevant) {
      try {
        this.rows.apply(event);
      } catch (error) {
        if (error instanceof PoisonEvent) this.folded = event.position - 1n;
        throw error;
      }
    }
    this.folded = last.position;
  }

  /** Writes what was folded so far in a transaction of its own. The fold may go on meanwhile, one portion is under way at a time. */
  write(pool: Pool): Promise<void> {
    const before = this.writing;
    const portion = this.portion();
    this.writing = before.then(() =>
      portion.to > portion.from ? inTransaction(pool, (client) => this.store(client, portion)) : undefined,
    );
    // Whoever waits for the writing hears of a failure; nobody may be waiting yet.
    this.writing.catch(() => undefined);
    return this.writing;
  }

  /** The same inside the caller's transaction. */
  writeWithin = async (client: PoolClient): Promise<void> => {
    await this.writing;
    await this.store(client, this.portion());
  };

  /** Only the rows, for a scratch table without a checkpoint. */
  writeRows = async (client: PoolClient): Promise<void> => this.writer.write(client, this.portion().changes);

  private portion(): Portion {
    const portion = { from: this.taken, to: this.folded, changes: this.rows.pending() };
    this.rows.settle();
    this.taken = this.folded;
    return portion;
  }

  /** Rows first, checkpoint second: the same lock order as everywhere, table before checkpoint row. */
  private async store(client: PoolClient, { from, to, changes }: Portion) {
    await this.writer.write(client, changes);
    const { rowCount } = await client.query({
      name: 'projections-portion',
      text: `UPDATE es_projection SET position = $5::bigint
             WHERE name = $1 AND generation = $2 AND fence = $3::bigint AND position = $4::bigint AND state = 'running'`,
      values: [this.of.name, this.of.generation, String(this.of.fence), String(from), String(to)],
    });
    if (rowCount !== 1) throw new LeaseLost(this.of);
  }
}
