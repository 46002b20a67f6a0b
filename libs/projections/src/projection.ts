import { idOf, type Event, type Recorded } from '@app/kernel';

/** Every row of every read model: its key, and the site it belongs to. */
export type Row = { readonly id: string; readonly siteId: string };

export type ColumnType = 'text' | 'bigint' | 'integer' | 'boolean' | 'double precision' | 'jsonb' | 'text[]';

/**
 * A read model is one table and one pure function per event type; returning `null` removes the row.
 * The runtime owns the table: columns are snake_case of the row's fields, and `position` (that of the last event that touched the row)
 * is added by itself. Instants are ISO strings in `text` columns: they sort as time. Bump `version` to rebuild from the log.
 * A handler gets a row, an event and a key, and nothing else: it has no way to send anything. It never changes the row it was given;
 * returning that very row means that the event did not touch it.
 */
export type Projection<R extends Row = Row, E extends Event = Event> = {
  readonly name: string;
  readonly version: number;
  readonly columns: { readonly [K in Exclude<keyof R, 'id' | 'siteId'>]-?: ColumnType };
  /** Fields of each index beyond the primary key; `siteId` is put in front by itself. */
  readonly indexes?: readonly (readonly (keyof R & string)[])[];
  /** Fields of type jsonb whose keys are looked for by value (`eq`, `in`): an inverted index finds them, whatever the keys are. */
  readonly searched?: readonly (keyof R & string)[];
  /** Which rows an event touches. Default: the one whose id is the stream's id. */
  readonly rowIds?: (event: Recorded<E>) => readonly string[];
  readonly on: {
    readonly [T in E['type']]?: (row: R | null, event: Recorded<Extract<E, { type: T }>>, rowId: string) => R | null;
  };
  /** Applied to every event type that has no handler of its own in `on`, types of other capabilities included. */
  readonly any?: (row: R | null, event: Recorded<E>, rowId: string) => R | null;
};

/** A handler of some projection, its row and event types forgotten. Method syntax, so that every typed handler fits. */
type AnyHandler = { handle(row: Row | null, event: Recorded, rowId: string): Row | null }['handle'];

/** Any projection, its row and event types forgotten: what the runtime and the stores work with. */
export type AnyProjection = {
  readonly name: string;
  readonly version: number;
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly indexes?: readonly (readonly string[])[];
  readonly searched?: readonly string[];
  readonly rowIds?: { of(event: Recorded): readonly string[] }['of'];
  readonly on: Readonly<Partial<Record<string, AnyHandler>>>;
  readonly any?: AnyHandler;
};

export const projection = <R extends Row, E extends Event>(definition: Projection<R, E>): Projection<R, E> => definition;

/** The function for an event type, if the projection looks at that type at all. */
export const handlerOf = (p: Pick<AnyProjection, 'on' | 'any'>, type: string): AnyHandler | undefined =>
  (Object.hasOwn(p.on, type) ? p.on[type] : undefined) ?? p.any;

/** Applies one event to one row. Pure: the same in the live runtime, in a rebuild and in a test's fold of the log. */
export const project = <R extends Row, E extends Event>(
  p: Projection<R, E>,
  row: R | null,
  event: Recorded<E>,
  rowId: string,
): R | null => {
  const handle = handlerOf(p as AnyProjection, event.type);
  return handle ? (handle(row, event, rowId) as R | null) : row;
};

export const rowIdsOf = <R extends Row, E extends Event>(p: Projection<R, E>, event: Recorded<E>): readonly string[] =>
  handlerOf(p as AnyProjection, event.type) === undefined ? [] : (p.rowIds?.(event) ?? [idOf(event.streamId)]);
