import { idOf, type Recorded } from '@app/kernel';
import { handlerOf, type AnyProjection, type Row } from '../projection';
import { SeenIds } from './seen-ids';

/** A row as it goes to the table. */
export type Written = { readonly row: Row; readonly position: bigint };

/** What a fold changed. `added` rows are known to be absent from the table: they can be copied in. */
export type Changes = { readonly added: readonly Written[]; readonly changed: readonly Written[]; readonly removed: readonly string[] };

/** Changed in place while it is dirty; once it was handed to a writer it stays as it is and the next change makes a new one. */
type Entry = { readonly id: string; row: Row | null; position: bigint; inTable: boolean; dirty: boolean };

/** A handler threw, or answered something that is not a row. */
export class PoisonEvent extends Error {
  constructor(readonly position: bigint, type: string, cause: unknown) {
    super(`${type} at position ${position}: ${(cause as Partial<Error> | null)?.message ?? String(cause)}`, { cause });
    this.name = 'PoisonEvent';
  }
}

/**
 * The rows of one generation that a fold works on, kept between batches. It is a cache of what is committed plus what the current batch
 * changed: after any failure it must be thrown away. Rows not used lately are dropped half the limit at a time, with the older of two
 * maps: moving each row to the end of one map at each use was a fifth of a rebuild's time.
 */
export class RowBuffer {
  private recent = new Map<string, Entry>();
  private older = new Map<string, Entry>();
  private dirty: Entry[] = [];
  private readonly handlers = new Map<string, NonNullable<ReturnType<typeof handlerOf>> | null>();
  private readonly fields: readonly string[];
  private readonly seen: SeenIds | null;

  /** `fromEmpty`: the table is empty now, so that a row this buffer never wrote does not exist. */
  constructor(private readonly projection: AnyProjection, private readonly limit: number, fromEmpty = false) {
    this.fields = Object.keys(projection.columns);
    this.seen = fromEmpty ? new SeenIds() : null;
  }

  concerns = (event: Recorded) => this.handlerOf(event.type) !== null;

  /** Rows that these events touch and that must be loaded first. */
  missing(events: readonly Recorded[]): readonly string[] {
    const ids = new Set<string>();
    for (const event of events) {
      for (const id of this.idsOf(event)) if (this.mayExist(id, event) && this.entry(id) === undefined) ids.add(id);
    }
    return [...ids];
  }

  /** Takes in what the table holds for the ids asked for; ids without a row are remembered as absent. */
  loaded(ids: readonly string[], rows: readonly Written[]) {
    for (const id of ids) this.recent.set(id, { id, row: null, position: 0n, inTable: false, dirty: false });
    for (const { row, position } of rows) this.recent.set(row.id, { id: row.id, row, position, inTable: true, dirty: false });
  }

  /** Folds one event into all rows it touches, or into none: throws `PoisonEvent` and leaves the rows as they were. */
  apply(event: Recorded): void {
    const handle = this.handlerOf(event.type);
    if (!handle) return;
    try {
      const ids = this.idsOf(event, true);
      const before = ids.map((id) => this.entry(id));
      const after = ids.map((id, i) => this.checked(id, handle(before[i]?.row ?? null, event, id)));
      for (let i = 0; i < ids.length; i++) this.put(ids[i]!, before[i], after[i]!, event.position);
    } catch (error) {
      throw new PoisonEvent(event.position, event.type, error);
    }
  }

  pending(): Changes {
    const added: Written[] = [];
    const changed: Written[] = [];
    const removed: string[] = [];
    for (const entry of this.dirty) {
      if (entry.row) (entry.inTable ? changed : added).push(entry as Written);
      else if (entry.inTable) removed.push(entry.id);
    }
    return { added, changed, removed };
  }

  /** From here on the pending changes count as written; a writer that then fails must throw the buffer away. */
  settle(): void {
    for (const entry of this.dirty) {
      entry.dirty = false;
      entry.inTable = entry.row !== null;
      this.seen?.add(entry.id);
    }
    this.dirty = [];
    if (this.recent.size <= this.limit / 2) return;
    this.older = this.recent;
    this.recent = new Map();
  }

  private entry(id: string): Entry | undefined {
    const recent = this.recent.get(id);
    if (recent) return recent;
    const older = this.older.get(id);
    if (older) this.recent.set(id, older);
    return older;
  }

  /** A row named after an event cannot be older than that event. */
  private mayExist = (id: string, event: Recorded) => id !== event.eventId && (this.seen?.has(id) ?? true);

  private handlerOf(type: string) {
    let handler = this.handlers.get(type);
    if (handler === undefined) this.handlers.set(type, (handler = handlerOf(this.projection, type) ?? null));
    return handler;
  }

  private put(id: string, entry: Entry | undefined, row: Row | null, position: bigint) {
    if ((entry?.row ?? null) === row) return;
    if (entry?.dirty) {
      entry.row = row;
      entry.position = position;
      return;
    }
    const next = { id, row, position, inTable: entry?.inTable ?? false, dirty: true };
    this.recent.set(id, next);
    this.dirty.push(next);
  }

  /** A field left undefined becomes null at once: a fold that goes on must see what a reload would show. */
  private checked(id: string, row: Row | null): Row | null {
    if (row === null) return null;
    if (row?.id !== id) throw new Error(`The handler answered row ${String(row?.id)} for row ${id}`);
    if (typeof row.siteId !== 'string') throw new Error(`The handler answered row ${id} without a site`);
    const values = row as unknown as Record<string, unknown>;
    for (const field of this.fields) if (values[field] === undefined) return withNulls(values, this.fields);
    return row;
  }

  /** Ids that a broken `rowIds` cannot tell are none while loading; applying the event then reports it. */
  private idsOf(event: Recorded, strict = false): readonly string[] {
    try {
      const ids = this.projection.rowIds?.(event);
      if (!ids) return [idOf(event.streamId)];
      return ids.length < 2 ? ids : [...new Set(ids)];
    } catch (error) {
      if (strict) throw error;
      return [];
    }
  }
}

const withNulls = (values: Readonly<Record<string, unknown>>, fields: readonly string[]): Row =>
  ({ ...values, ...Object.fromEntries(fields.map((field) => [field, values[field] ?? null])) }) as unknown as Row;
