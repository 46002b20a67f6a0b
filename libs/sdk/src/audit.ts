import type { AuditEventView, LogVerdict } from '@app/audit/contract';
import type { CloudEvent } from '@app/nats/contract';
import { follow, untilLast } from './connection/follow';
import { parsed } from './connection/message';
import { allLines } from './connection/json-lines';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Answer, Page, Transport, WriteOptions } from './connection/transport';
import type { LogEvent } from './log-event';
import type { InclusionProof, SignedCheckpoint } from './proof/proof';

/** An event as it was written, with its place in the chain. */
export type AuditEvent = AuditEventView;

/** What was verified, or what is wrong: `position` is then the first bad one, and everything before it is verified. */
export type ChainVerdict = LogVerdict;

/** Every given condition must hold. */
export type AuditQuery = ListQuery & {
  readonly streamId?: string | undefined;
  readonly category?: string | undefined;
  readonly types?: readonly string[] | undefined;
  /** Id of a principal. */
  readonly actor?: string | undefined;
  /** ISO 8601; from this instant on. */
  readonly from?: string | undefined;
  /** ISO 8601; before this instant. */
  readonly to?: string | undefined;
  /** Default: newest first. */
  readonly sort?: 'position' | '-position' | undefined;
};

/** Positions: verified so far, and the head at the start. */
export type VerifyProgress = { readonly verified: string; readonly total: string };

export type VerifyStep =
  { readonly kind: 'progress'; readonly progress: VerifyProgress } | { readonly kind: 'verdict'; readonly verdict: ChainVerdict };

export type AuditStreamOptions = {
  readonly types?: readonly string[] | undefined;
  /** Only events after this position; without it, only events appended from now on. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** `after`: only events behind this position. */
export type AuditExportQuery = Omit<AuditQuery, 'sort' | 'limit' | 'cursor'> & { readonly after?: string | undefined; readonly signal?: AbortSignal | undefined };

export class Audit {
  constructor(private readonly transport: Transport) {}

  events = ({ types, ...query }: AuditQuery = {}): Promise<Page<AuditEvent>> =>
    this.transport.page('/audit/events', { query: { ...query, type: types } });

  each = (query: AuditQuery = {}): AsyncGenerator<AuditEvent> => everyRow((cursor) => this.events({ ...query, cursor }));

  /** Check it with `verifyProof`, which needs no server. */
  proof = async (eventId: string): Promise<InclusionProof> =>
    (await this.transport.read<InclusionProof>(path`/audit/proof/${eventId}`)).data;

  checkpoints = (query: ListQuery = {}): Promise<Page<SignedCheckpoint>> => this.transport.page('/audit/checkpoints', { query });

  eachCheckpoint = (): AsyncGenerator<SignedCheckpoint> => everyRow((cursor) => this.checkpoints({ limit: 200, cursor }));

  /** Signs the head of the chain now. */
  signCheckpoint = (options?: WriteOptions): Promise<Answer<SignedCheckpoint>> => this.transport.write('POST', '/audit/checkpoints', {}, options);

  /** The selected events as CloudEvents, oldest first, up to the head of now. Throws when the answer was cut, so that a part is never taken for the whole. */
  export = ({ types, signal, ...query }: AuditExportQuery = {}): AsyncGenerator<CloudEvent> =>
    allLines<CloudEvent>(this.transport, '/audit/export', { query: { ...query, type: types }, signal });

  /** Recomputes the whole chain on the server: progress, then one verdict. A broken chain is a verdict, not an error. */
  async *verify(options: { readonly signal?: AbortSignal | undefined } = {}): AsyncGenerator<VerifyStep> {
    for await (const message of untilLast(this.transport, '/audit/verify', ({ event }) => event === 'verdict', options)) {
      if (message.event === 'verdict') yield { kind: 'verdict', verdict: parsed(message) };
      else if (message.event === 'progress') yield { kind: 'progress', progress: parsed(message) };
    }
  }

  /** The site's events as they are appended, each once, across reconnects. Ends only when the signal aborts. */
  async *stream({ types, after, signal }: AuditStreamOptions = {}): AsyncGenerator<LogEvent> {
    // A cut before the first event must not lose what came meanwhile, so the beginning is a position too.
    const start = after ?? (await this.events({ limit: 1 })).position;
    for await (const message of follow(this.transport, '/audit/stream', { query: { type: types }, after: start, signal })) {
      yield parsed<LogEvent>(message);
    }
  }
}
