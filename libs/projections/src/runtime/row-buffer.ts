import type { Recorded } from '@app/kernel';
import { handlerOf, rowIdsOf, type AnyProjection, type Projection, type Row } from '../projection';

type Entry = { row: Row | null; position: bigint; inTable: boolean; dirty: boolean };

export type Written = { readonly row: Row; readonly position: bigint };

/** What a fold changed. `added` rows are known to be absent from the table: they can be copied in. */
export type Changes = { readonly added: readonly Written[]; readonly changed: readonly Written[]; readonly removed: readonly string[] };

/** A handler threw, or answered something that is not a row. */
export class PoisonEvent extends Error {
  constructor(readonly position: bigint, type: string, cause: unknown) {
    super(`${type} at position ${position}: ${(cause as Partial<Error> | null)?.message ?? String(cause)}`, { cause });
    this.name = 'PoisonEvent';
  }
}

/**
 * The rows of one generation that a fold works on, kept between batches, least recently used first out.
 * It is a cache of what is committed plus what the current batch changed: after any failure it must be thrown away.
 */
export class RowBuffer {
  private readonly entries = new Map<string, Entry>();
  private readonly dirty = new Set<string>();
  private readonly handlers = new Map<string, ReturnType<typeof handlerOf>>();
  private readonly fields: readonly string[];

  /** `complete`: the table is empty now, so until something is evicted, a row that is not here does not exist. */
  constructor(private readonly projection: AnyProjection, private readonly limit: number, private complete = false) {
    this.fields = Object.keys(projection.columns);
  }

  get size() {
    return this.entries.size;
  }

  get changes() {
    return this.dirty.size;
  }

  concerns = (event: Recorded) => this.handlerOf(event.type) !== undefined;

  /** Rows that these events touch and that must be loaded first. */
  missing(events: readonly Recorded[]): readonly string[] {
    if (this.complete) return [];
    const ids = new Set<string>();
    for (const event of events) {
      for (const id of this.idsOf(event)) if (!this.entries.has(id)) ids.add(id);
    }
    return [...ids];
  }

  /** Takes in what the table holds for the ids asked for; ids without a row are remembered as absent. */
  loaded(ids: readonly string[], rows: readonly Written[]) {
    for (const id of ids) this.entries.set(id, { row: null, position: 0n, inTable: false, dirty: false });
    for (const { row, position } of rows) this.entries.set(row.id, { row, position, inTable: true, dirty: false });
  }

  /** Folds one event into all rows it touches, or into none: throws `PoisonEvent` and leaves the rows as they were. */
  apply(event: Recorded): void {
    const handle = this.handlerOf(event.type);
    if (!handle) return;
    try {
      const next = this.idsOf(event, true).map((id) => [id, this.checked(id, handle(this.entries.get(id)?.row ?? null, event, id))] as const);
      for (const [id, row] of next) this.put(id, row, event.position);
    } catch (error) {
      throw new PoisonEvent(event.position, event.type, error);
    }
  }

  pending(): Changes {
    const added: Written[] = [];
    const changed: Written[] = [];
    const removed: string[] = [];
    for (const id of this.dirty) {
      const entry = this.entries.get(id)!;
      if (entry.row) (entry.inTable ? changed : added).push({ row: entry.row, position: entry.position });
      else if (entry.inTable) removed.push(id);
    }
    return { added, changed, removed };
  }

  /** From here on the pending changes count as written; a writer that then fails must throw the buffer away. */
  settle(): void {
    for (const id of this.dirty) {
      const entry = this.entries.get(id)!;
      entry.dirty = false;
      entry.inTable = entry.row !== null;
    }
    this.dirty.clear();
    if (this.entries.size <= this.limit) return;
    this.complete = false;
    for (const id of this.entries.keys()) {
      if (this.entries.size <= this.limit) break;
      this.entries.delete(id);
    }
  }

  private handlerOf(type: string) {
    if (!this.handlers.has(type)) this.handlers.set(type, handlerOf(this.projection, type));
    return this.handlers.get(type);
  }

  private put(id: string, row: Row | null, position: bigint) {
    const entry = this.entries.get(id);
    if ((entry?.row ?? null) === row) return;
    this.entries.delete(id);
    this.entries.set(id, { row, position, inTable: entry?.inTable ?? false, dirty: true });
    this.dirty.add(id);
  }

  /** A field left undefined becomes null at once: a fold that goes on must see what a reload would show. */
  private checked(id: string, row: Row | null): Row | null {
    if (row === null) return null;
    if (row?.id !== id) throw new Error(`The handler answered row ${String(row?.id)} for row ${id}`);
    if (typeof row.siteId !== 'string') throw new Error(`The handler answered row ${id} without a site`);
    const values = row as unknown as Record<string, unknown>;
    if (this.fields.every((field) => values[field] !== undefined)) return row;
    return { ...row, ...Object.fromEntries(this.fields.map((field) => [field, values[field] ?? null])) };
  }

  /** Ids that a broken `rowIds` cannot tell are none while loading; applying the event then reports it. */
  private idsOf(event: Recorded, strict = false): readonly string[] {
    try {
      const ids = rowIdsOf(this.projection as unknown as Projection<Row, Recorded>, event as Recorded<Recorded>);
      return ids.length < 2 ? ids : [...new Set(ids)];
    } catch (error) {
      if (strict) throw error;
      return [];
    }
  }
}
