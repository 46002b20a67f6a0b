import type { StagedView } from '@app/staging/contract';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, ReadOptions, Transport, WriteOptions } from './connection/transport';

/** A change in its veto window, or what became of it. `remainingMs` is 0 from the deadline on. */
export type StagedChange = StagedView;
/** Without a status: the changes that wait. */
export type StagedQuery = ListQuery & { readonly status?: StagedChange['status'] | undefined; readonly runId?: string | undefined };

/** Changes that go live when their window closes and nobody has objected. */
export class Staged {
  constructor(private readonly transport: Transport) {}

  list = (query: StagedQuery = {}, options: ReadOptions = {}): Promise<Page<StagedChange>> => this.transport.page('/agent/staged', { ...options, query });

  each = (query: StagedQuery = {}, options: ReadOptions = {}): AsyncGenerator<StagedChange> => everyRow((cursor) => this.list({ ...query, cursor }, options));

  /** Discards the change; its agent loses a level of trust. Needs the role `veto` or `admin`. */
  veto = (stagingId: string, reason?: string, options?: WriteOptions): Promise<Answer<StagedChange>> =>
    this.transport.write('POST', path`/agent/staged/${stagingId}/veto`, reason === undefined ? {} : { reason }, options);

  /** Makes the change live before its window closes. */
  commitNow = (stagingId: string, options?: WriteOptions): Promise<Answer<StagedChange>> =>
    this.transport.write('POST', path`/agent/staged/${stagingId}/commit-now`, undefined, options);
}
