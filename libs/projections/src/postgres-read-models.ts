import type { Connection } from '@app/database';
import { DataSource, QueryFailedError, type SelectQueryBuilder } from 'typeorm';
import { entitiesOf, entityOf } from './entities';
import { endOf } from './in-memory-read-models';
import { encodeCursor } from './list/cursor';
import { checkList, isStorable, type CheckedList } from './list/request';
import { afterSql, conditionSql, type Bind } from './list/to-sql';
import { PositionWatch } from './position-watch';
import { ProjectionProgress } from './progress';
import type { AnyProjection, Projection, Row } from './projection';
import { ReadModelBehind, ReadModelRebuilding, ReadModels, type ListRequest, type Page, type Stored } from './read-models';
import { ServedColumns } from './served-columns';
import { shapeOf } from './table/shape';

export type PostgresReadModelsOptions = {
  readonly connection: Connection;
  readonly projections: readonly AnyProjection[];
  /** That of the runtime in this process, if there is one. */
  readonly progress?: ProjectionProgress;
  readonly poolSize?: number;
};

const UNDEFINED_TABLE = '42P01';
const UNDEFINED_COLUMN = '42703';

/** Reads the serving tables through TypeORM. A read model nobody has built yet is empty and stands at position 0. */
export class PostgresReadModels extends ReadModels {
  private readonly served: ServedColumns;
  private readonly watch: PositionWatch;

  /** `source` must know the entities of all projections that are read: `entitiesOf(projections)`. */
  constructor(
    private readonly source: DataSource,
    progress = new ProjectionProgress(),
  ) {
    super();
    this.served = new ServedColumns(source);
    this.watch = new PositionWatch(source, progress);
  }

  /** With connections of its own; `close` ends them. */
  static async connect({ connection, projections, progress, poolSize = 10 }: PostgresReadModelsOptions): Promise<PostgresReadModels> {
    const where =
      'connectionString' in connection
        ? { url: connection.connectionString }
        : { host: connection.host, port: connection.port, username: connection.user, database: connection.database };
    const source = new DataSource({
      type: 'postgres',
      ...where,
      entities: entitiesOf(projections),
      synchronize: false,
      installExtensions: false,
      poolSize,
      applicationName: 'read models',
    });
    await source.initialize();
    return new PostgresReadModels(source, progress);
  }

  close = (): Promise<void> => this.source.destroy();

  override async find<R extends Row>(p: Projection<R, never>, siteId: string, id: string): Promise<Stored<R> | null> {
    if (!isStorable(id) || !isStorable(siteId)) return null;
    const rows = await this.rows<R>(erased(p), [], (query) => query.where('t.id = :id AND t.siteId = :siteId', { id, siteId }));
    return rows[0] ?? null;
  }

  override async list<R extends Row>(p: Projection<R, never>, request: ListRequest): Promise<Page<R>> {
    const list = checkList(erased(p), request);
    // Read before the rows: they are at least as new as the position says.
    const position = await this.watch.position(p.name);
    const needed = [list.sort.field, ...list.where.map(({ field }) => field)];
    const found = await this.rows<R>(erased(p), needed, (query) => narrowed(query, erased(p), list));
    const rows = found.slice(0, list.limit);
    const last = found.length > list.limit ? rows.at(-1) : undefined;
    return { rows, nextCursor: last ? encodeCursor(list.sort, endOf(last, list.sort.field)) : null, position };
  }

  override position = ({ name }: { readonly name: string }): Promise<bigint> => this.watch.position(name);

  override async reached({ name }: { readonly name: string }, position: bigint, timeoutMs = 5_000): Promise<void> {
    if (!(await this.watch.reached(name, position, timeoutMs))) throw new ReadModelBehind(name, position, await this.watch.position(name));
  }

  private async rows<R extends Row>(p: AnyProjection, needed: readonly string[], narrow: (query: Select) => Select): Promise<Stored<R>[]> {
    for (let attempt = 1; ; attempt++) {
      const fields = await this.served.fields(p);
      if (fields.size === 0) return [];
      const absent = needed.find((field) => !fields.has(field));
      if (absent !== undefined) throw new ReadModelRebuilding(p.name, absent);
      try {
        const query = this.source.createQueryBuilder(entityOf(p), 't').select([...fields].map((field) => `t.${field}`));
        return (await narrow(query).getMany()).map((row) => plain<R>(p, row));
      } catch (error) {
        const code = error instanceof QueryFailedError ? (error.driverError as { code?: string }).code : undefined;
        // A swap changed the table between the look at its columns and the query.
        if (attempt > 3 || (code !== UNDEFINED_COLUMN && code !== UNDEFINED_TABLE)) throw error;
        this.served.forget(p);
      }
    }
  }
}

type Select = SelectQueryBuilder<Record<string, unknown>>;

const erased = (p: unknown) => p as AnyProjection;

/** A plain object with every declared field: what the serving table does not have is null. */
const plain = <R extends Row>(p: AnyProjection, row: Record<string, unknown>): Stored<R> =>
  Object.fromEntries(
    ['id', 'siteId', ...Object.keys(p.columns), 'position'].map((field) => [field, row[field] ?? null]),
  ) as unknown as Stored<R>;

const narrowed = (query: Select, p: AnyProjection, list: CheckedList): Select => {
  const columnOf = (field: string) => `t.${shapeOf(p).columns.find((column) => column.field === field)!.name}`;
  let count = 0;
  const bind: Bind = (value, type) => {
    const name = `p${count++}`;
    query.setParameter(name, value);
    return `CAST(:${name} AS ${type})`;
  };
  query.where(`t.site_id = ${bind(list.siteId, 'text')}`);
  for (const condition of list.where) query.andWhere(conditionSql(condition, columnOf(condition.field), bind));
  const after = afterSql(list, columnOf(list.sort.field), 't.id', bind);
  if (after) query.andWhere(after);
  const direction = list.sort.direction === 'asc' ? 'ASC' : 'DESC';
  query.orderBy(`t.${list.sort.field}`, direction);
  if (list.sort.field !== 'id') query.addOrderBy('t.id', direction);
  return query.limit(list.limit + 1);
};
