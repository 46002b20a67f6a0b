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

/** Reads rows. Every read is scoped to one site; there is no way to leave the site out. */
export abstract class ReadModels {
  abstract find<R extends Row>(projection: Projection<R, never>, siteId: string, id: string): Promise<Stored<R> | null>;
  abstract list<R extends Row>(projection: Projection<R, never>, request: ListRequest): Promise<Page<R>>;
  /** The position the read model has reached. */
  abstract position(projection: Projection<never, never>): Promise<bigint>;
  /** Waits until the read model has reached a position; throws `ReadModelBehind` after `timeoutMs` (default 5 000). */
  abstract reached(projection: Projection<never, never>, position: bigint, timeoutMs?: number): Promise<void>;
}
