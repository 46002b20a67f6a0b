import type { Recorded } from '@app/kernel';
import { encodeCursor } from './list/cursor';
import { byRequest, matches } from './list/in-memory';
import { checkList } from './list/request';
import { ProjectionProgress } from './progress';
import { project, rowIdsOf, type AnyProjection, type Projection, type Row } from './projection';
import { ReadModelBehind, ReadModels, type ListRequest, type Page, type Stored } from './read-models';

type Table = Map<string, Stored<Row>>;
type Folding = Projection<Row, Recorded>;

/** The read models without a database, for tests: the same folds, the same checks, the same order. */
export class InMemoryReadModels extends ReadModels {
  private readonly tables = new Map<string, Table>();
  private readonly progress = new ProjectionProgress();
  private head = 0n;

  constructor(private readonly projections: readonly AnyProjection[]) {
    super();
    for (const { name } of projections) this.tables.set(name, new Map());
  }

  /** Folds events into every read model. Events must come in the order of their positions. */
  apply(events: readonly Recorded[]): void {
    for (const event of events) {
      for (const p of this.projections) this.fold(p as unknown as Folding, event as Recorded<Recorded>, this.tables.get(p.name)!);
      this.head = event.position;
    }
    for (const { name } of this.projections) this.progress.advance(name, this.head);
  }

  override find<R extends Row>(p: Projection<R, never>, siteId: string, id: string): Promise<Stored<R> | null> {
    const row = this.table(p.name).get(id);
    return Promise.resolve(row?.siteId === siteId ? (row as Stored<R>) : null);
  }

  override async list<R extends Row>(p: Projection<R, never>, request: ListRequest): Promise<Page<R>> {
    const list = checkList(p as unknown as AnyProjection, request);
    const inOrder = byRequest(list);
    const after = list.after && { [list.sort.field]: list.after.value, id: list.after.id };
    const found = [...this.table(p.name).values()]
      .filter((row) => row.siteId === list.siteId && list.where.every((condition) => matches(condition, row)))
      .filter((row) => !after || inOrder(row, after) > 0)
      .sort(inOrder);
    const rows = found.slice(0, list.limit) as Stored<R>[];
    const last = found.length > list.limit ? rows.at(-1) : undefined;
    return Promise.resolve({ rows, nextCursor: last ? encodeCursor(list.sort, endOf(last, list.sort.field)) : null, position: this.head });
  }

  override position = () => Promise.resolve(this.head);

  override async reached({ name }: { readonly name: string }, position: bigint, timeoutMs = 5_000): Promise<void> {
    if (!(await this.progress.wait(name, position, timeoutMs))) throw new ReadModelBehind(name, position, this.head);
  }

  private fold(p: Folding, event: Recorded<Recorded>, table: Table) {
    for (const id of rowIdsOf(p, event)) {
      const before = table.get(id) ?? null;
      const row = project(p, before, event, id);
      if (row === before) continue;
      if (row) table.set(id, { ...row, position: event.position });
      else table.delete(id);
    }
  }

  private table(name: string): Table {
    const table = this.tables.get(name);
    if (!table) throw new Error(`Read model ${name} was not given to these read models`);
    return table;
  }
}

/** The place in a list where a row stands, as a cursor carries it. */
export const endOf = (row: Stored<Row>, field: string) => {
  const value = (row as unknown as Readonly<Record<string, unknown>>)[field] ?? null;
  return { value: typeof value === 'bigint' ? String(value) : (value as string | number | boolean | null), id: row.id };
};
