import { path } from './connection/path';
import type { Answer, Page, Transport, WriteOptions } from './connection/transport';

/** `lag` counts events of the log that the read model does not show yet. */
export type ProjectionStatus = {
  readonly name: string;
  readonly state: string;
  readonly position: string;
  readonly lag: string | number;
  readonly [member: string]: unknown;
};

export type ProjectionVerdict = { readonly ok: boolean; readonly [member: string]: unknown };

/** Operating the read models; needs an admin. */
export class Ops {
  constructor(private readonly transport: Transport) {}

  projections = (): Promise<Page<ProjectionStatus>> => this.transport.page('/ops/projections');

  /** Builds a fresh copy from the log while the current one serves. Progress is in `projections`. */
  rebuild = (name: string, options?: WriteOptions): Promise<Answer<unknown>> => this.command(name, 'rebuild', undefined, options);
  pause = (name: string, options?: WriteOptions): Promise<Answer<unknown>> => this.command(name, 'pause', undefined, options);
  resume = (name: string, options?: WriteOptions): Promise<Answer<unknown>> => this.command(name, 'resume', undefined, options);
  cancel = (name: string, options?: WriteOptions): Promise<Answer<unknown>> => this.command(name, 'cancel', undefined, options);
  rollback = (name: string, options?: WriteOptions): Promise<Answer<unknown>> => this.command(name, 'rollback', undefined, options);

  /** Replays the log into a scratch table and compares. */
  verify = (name: string, options?: WriteOptions): Promise<Answer<ProjectionVerdict>> => this.command(name, 'verify', undefined, options);

  /** Passes over one event that cannot be applied. The reason is recorded. */
  skip = (name: string, skipped: { readonly position: string; readonly reason: string }, options?: WriteOptions): Promise<Answer<unknown>> =>
    this.command(name, 'skip', skipped, options);

  private command = <T>(name: string, verb: string, body: unknown, options?: WriteOptions): Promise<Answer<T>> =>
    this.transport.write('POST', path`/ops/projections/${name}/${verb}`, body, options);
}
