import type { Projection, Row } from './projection';

export type Comparison = 'eq' | 'in' | 'gt' | 'gte' | 'lt' | 'lte' | 'contains';
/** `path` is a field of the row, or `field.key` for one key inside a jsonb column. Never part of a user's text: callers check it first. */
export type Condition = { readonly path: string; readonly is: Comparison; readonly value: unknown };

export type ListRequest = {
  readonly siteId: string;
  readonly where?: readonly Condition[];
  /** Newest first by default (`id` descending: ids are time-ordered). */
  readonly sort?: { readonly field: string; readonly direction: 'asc' | 'desc' };
  readonly limit: number;
  readonly cursor?: string;
};

/** A row as read: with the position of the last event that touched it. */
export type Stored<R> = R & { readonly position: bigint };
export type Page<R> = { readonly rows: readonly Stored<R>[]; readonly nextCursor: string | null; readonly position: bigint };

/** A read asked for a position that the read model did not reach in time. */
export class ReadModelBehind extends Error {
  constructor(readonly projection: string, readonly wanted: bigint, readonly reached: bigint) {
    super(`Read model ${projection} is at ${reached}, not yet at ${wanted}`);
    this.name = 'ReadModelBehind';
  }
}

/** A cursor that this list did not give out: damaged, of another list, or of another sort order. */
export class InvalidCursor extends Error {
  constructor(readonly projection: string, detail: string) {
    super(`This cursor does not belong to this list of ${projection}: ${detail}. Start again without a cursor.`);
    this.name = 'InvalidCursor';
  }
}

/** A condition, sort field or limit that the read model's declaration does not allow. */
export class InvalidListRequest extends Error {
  constructor(readonly projection: string, detail: string) {
    super(`Read model ${projection} cannot answer this: ${detail}`);
    this.name = 'InvalidListRequest';
  }
}

/** The serving generation does not have a field yet (or any more) that a condition or a sort needs: a rebuild is on its way. */
export class ReadModelRebuilding extends Error {
  constructor(readonly projection: string, readonly field: string) {
    super(`Read model ${projection} is being rebuilt; its field ${field} can be used when that is done`);
    this.name = 'ReadModelRebuilding';
  }
}

/** Reads rows. Every read is scoped to one site; there is no way to leave the site out. */
export abstract class ReadModels {
  abstract find<R extends Row>(projection: Projection<R, never>, siteId: string, id: string): Promise<Stored<R> | null>;
  /** At most 200 rows. Throws `InvalidCursor`, `InvalidListRequest`, `ReadModelRebuilding`. */
  abstract list<R extends Row>(projection: Projection<R, never>, request: ListRequest): Promise<Page<R>>;
  /** The position the read model has reached. */
  abstract position(projection: { readonly name: string }): Promise<bigint>;
  /** Waits until the read model has reached a position; throws `ReadModelBehind` after `timeoutMs` (default 5 000). */
  abstract reached(projection: { readonly name: string }, position: bigint, timeoutMs?: number): Promise<void>;
}
