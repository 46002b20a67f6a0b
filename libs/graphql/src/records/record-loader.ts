import type { AnyProjection, ReadModels } from '@app/projections';

/** A row as its list shows it. */
export type LoadedRecord = Readonly<Record<string, unknown>>;

type Waiting = { readonly resolve: (record: LoadedRecord | null) => void; readonly reject: (error: unknown) => void };
type Batch = { readonly projection: AnyProjection; readonly waiting: Map<string, Waiting[]> };

const MOST = 200;

/**
 * Reads single records of a site for many fields at once: whatever is asked for in one turn of a query is one statement for each read model, however many
 * nodes ask. Nothing is kept, so what a subscriber gets is never old.
 */
export class RecordLoader {
  private readonly batches = new Map<string, Batch>();
  private after = 0n;

  constructor(
    private readonly reads: Pick<ReadModels, 'list' | 'reached'>,
    private readonly siteId: string,
  ) {}

  /** What was written at this position is seen by all loads from now on. */
  readAfter(position: bigint): void {
    if (position > this.after) this.after = position;
  }

  /** `null` for what is not on the site. */
  load(projection: AnyProjection, id: string): Promise<LoadedRecord | null> {
    return new Promise((resolve, reject) => {
      const batch = this.batchOf(projection);
      const waiting = batch.waiting.get(id) ?? [];
      batch.waiting.set(id, [...waiting, { resolve, reject }]);
    });
  }

  private batchOf(projection: AnyProjection): Batch {
    const open = this.batches.get(projection.name);
    if (open) return open;
    const batch: Batch = { projection, waiting: new Map() };
    this.batches.set(projection.name, batch);
    // After the promises of this turn: by then every node of a page has asked.
    void Promise.resolve().then(() => process.nextTick(() => void this.read(batch)));
    return batch;
  }

  private async read({ projection, waiting }: Batch): Promise<void> {
    this.batches.delete(projection.name);
    try {
      const found = await this.found(projection, [...waiting.keys()]);
      for (const [id, asking] of waiting) for (const { resolve } of asking) resolve(found.get(id) ?? null);
    } catch (error) {
      for (const { reject } of [...waiting.values()].flat()) reject(error);
    }
  }

  private async found(projection: AnyProjection, ids: readonly string[]): Promise<ReadonlyMap<string, LoadedRecord>> {
    if (this.after > 0n) await this.reads.reached(projection, this.after);
    const found = new Map<string, LoadedRecord>();
    for (let from = 0; from < ids.length; from += MOST) {
      const some = ids.slice(from, from + MOST);
      const { rows } = await this.reads.list(projection as never, { siteId: this.siteId, limit: some.length, where: [{ path: 'id', is: 'in', value: some }] });
      for (const { position: _position, ...row } of rows as readonly (LoadedRecord & { readonly id: string; readonly position: bigint })[]) found.set(row.id as string, row);
    }
    return found;
  }
}
