import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, Transport, WriteOptions } from './connection/transport';

export type RebuildProgress = {
  readonly generation: number;
  readonly version: number;
  readonly position: string;
  readonly target: string;
  readonly ratio: number;
};

/** `lagEvents` counts events of the log that the read model does not show yet; `lagMs` is the age of the oldest of them. */
export type ProjectionStatus = {
  readonly name: string;
  readonly version: number;
  readonly generation: number;
  readonly state: 'live' | 'building' | 'paused' | 'stopped';
  readonly position: string;
  readonly lagEvents: string;
  readonly lagMs: number;
  readonly progress: RebuildProgress | null;
  /** Why it stopped, and at which event. */
  readonly error: { readonly position: string | null; readonly message: string } | null;
};

export type ProjectionVerdict = {
  readonly name: string;
  readonly ok: boolean;
  readonly position: string;
  readonly rows: number;
  readonly differences: readonly { readonly id: string; readonly kind: 'missing' | 'extra' | 'different' }[];
};

export type ProjectionOrder = { readonly name: string; readonly order: string };

/** A job that failed for good. `runId` is set for the task of a run. */
export type DeadLetter = {
  readonly id: string;
  readonly queue: string;
  readonly jobId: string;
  readonly runId: string | null;
  readonly attempts: number;
  readonly error: string;
  readonly enqueuedAt: string;
  readonly failedAt: string;
  readonly payload: unknown;
};
/** `runId` is the new run that does the task of the one that failed; null when the job went back into its queue. */
export type RequeuedLetter = { readonly id: string; readonly queue: string; readonly jobId: string; readonly runId: string | null };

/** Jobs that failed for good, oldest first. */
export class DeadLetters {
  constructor(private readonly transport: Transport) {}

  list = (query: Pick<ListQuery, 'limit' | 'cursor'> = {}): Promise<Page<DeadLetter>> => this.transport.page('/ops/dead-letters', { query });
  each = (): AsyncGenerator<DeadLetter> => everyRow((cursor) => this.list({ cursor }));
  get = (id: string): Promise<Answer<DeadLetter>> => this.transport.read(path`/ops/dead-letters/${id}`);
  requeue = (id: string, options?: WriteOptions): Promise<Answer<RequeuedLetter>> => this.transport.write('POST', path`/ops/dead-letters/${id}/requeue`, {}, options);
  discard = (id: string, options?: WriteOptions): Promise<Answer<{ readonly id: string }>> => this.transport.write('DELETE', path`/ops/dead-letters/${id}`, undefined, options);
}

/** An event that a consumer of the log went on without, and tries again at `nextTryAt`. */
export type ParkedEvent = {
  readonly consumer: string;
  readonly position: string;
  readonly attempts: number;
  readonly error: string;
  readonly parkedAt: string;
  readonly nextTryAt: string;
};

/** Operating the read models and the queues; needs an admin. */
export class Ops {
  readonly deadLetters: DeadLetters;

  constructor(private readonly transport: Transport) {
    this.deadLetters = new DeadLetters(transport);
  }

  projections = (): Promise<Answer<readonly ProjectionStatus[]>> => this.transport.read('/ops/projections');

  /** Events that consumers could not handle, oldest first. */
  parkedEvents = (query: Pick<ListQuery, 'limit'> = {}): Promise<Answer<readonly ParkedEvent[]>> => this.transport.read('/ops/parked-events', { query });
  /** Within seconds instead of at `nextTryAt`. */
  retryParkedEvent = ({ consumer, position }: Pick<ParkedEvent, 'consumer' | 'position'>, options?: WriteOptions): Promise<Answer<Pick<ParkedEvent, 'consumer' | 'position'>>> =>
    this.transport.write('POST', path`/ops/parked-events/${consumer}/${position}/retry`, {}, options);

  /** Builds a fresh copy from the log while the current one serves. Progress is in `projections`. */
  rebuild = (name: string, options?: WriteOptions): Promise<Answer<ProjectionOrder>> => this.#command(name, 'rebuild', undefined, options);
  pause = (name: string, options?: WriteOptions): Promise<Answer<ProjectionOrder>> => this.#command(name, 'pause', undefined, options);
  resume = (name: string, options?: WriteOptions): Promise<Answer<ProjectionOrder>> => this.#command(name, 'resume', undefined, options);
  cancel = (name: string, options?: WriteOptions): Promise<Answer<ProjectionOrder>> => this.#command(name, 'cancel', undefined, options);
  rollback = (name: string, options?: WriteOptions): Promise<Answer<ProjectionOrder>> => this.#command(name, 'rollback', undefined, options);

  /** Replays the log into a scratch table and compares. */
  verify = (name: string, options?: WriteOptions): Promise<Answer<ProjectionVerdict>> => this.#command(name, 'verify', undefined, options);

  /** Passes over one event that cannot be applied. The reason is recorded. */
  skip = (
    name: string,
    skipped: { readonly position: string; readonly reason: string },
    options?: WriteOptions,
  ): Promise<Answer<ProjectionOrder>> => this.#command(name, 'skip', skipped, options);

  #command = <T>(name: string, verb: string, body: unknown, options?: WriteOptions): Promise<Answer<T>> =>
    this.transport.write('POST', path`/ops/projections/${name}/${verb}`, body, options);
}
