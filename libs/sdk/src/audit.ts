import { follow, untilLast } from './connection/follow';
import { parsed } from './connection/message';
import { everyRow, type ListQuery } from './connection/pages';
import { path } from './connection/path';
import type { Page, Transport } from './connection/transport';
import type { LogEvent } from './log-event';
import type { InclusionProof, SignedCheckpoint } from './proof/proof';

export type AuditQuery = ListQuery & {
  readonly siteId?: string | undefined;
  readonly streamId?: string | undefined;
  readonly type?: string | undefined;
  readonly actor?: string | undefined;
  /** ISO 8601; from this instant on. */
  readonly from?: string | undefined;
  /** ISO 8601; before this instant. */
  readonly to?: string | undefined;
};

/** Positions: verified so far, and the head at the start. */
export type VerifyProgress = { readonly kind: 'progress'; readonly verified: string; readonly total: string };

/** `position` is the first bad one: everything before it is verified. `signedUpTo` is the last checkpoint that was checked. */
export type VerifyVerdict =
  | {
      readonly kind: 'verdict';
      readonly ok: true;
      readonly events: string;
      readonly batches: string;
      readonly head: string;
      readonly chain: string;
      readonly checkpoints: number;
      readonly signedUpTo: string | null;
    }
  | { readonly kind: 'verdict'; readonly ok: false; readonly position: string; readonly reason: string; readonly detail: string };

export type AuditStreamOptions = {
  readonly types?: readonly string[] | undefined;
  /** Only events after this position; without it, only events appended from now on. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

export class Audit {
  constructor(private readonly transport: Transport) {}

  events = (query: AuditQuery = {}): Promise<Page<LogEvent>> => this.transport.page('/audit/events', { query });

  each = (query: AuditQuery = {}): AsyncGenerator<LogEvent> => everyRow((cursor) => this.events({ ...query, cursor }));

  /** Check it with `verifyProof`, which needs no server. */
  proof = async (eventId: string): Promise<InclusionProof> => (await this.transport.read<InclusionProof>(path`/audit/proof/${eventId}`)).data;

  checkpoints = (query: ListQuery = {}): Promise<Page<SignedCheckpoint>> => this.transport.page('/audit/checkpoints', { query });

  eachCheckpoint = (): AsyncGenerator<SignedCheckpoint> => everyRow((cursor) => this.checkpoints({ limit: 200, cursor }));

  /** Recomputes the whole chain on the server: progress, then one verdict. A broken chain is a verdict, not an error. */
  async *verify(options: { readonly signal?: AbortSignal | undefined } = {}): AsyncGenerator<VerifyProgress | VerifyVerdict> {
    for await (const message of untilLast(this.transport, '/audit/verify', ({ event }) => event === 'verdict', options)) {
      const kind = message.event === 'verdict' ? 'verdict' : 'progress';
      yield { kind, ...parsed<object>(message) } as VerifyProgress | VerifyVerdict;
    }
  }

  /** The site's events as they are appended, each once, across reconnects. Ends only when the signal aborts. */
  async *stream({ types, after, signal }: AuditStreamOptions = {}): AsyncGenerator<LogEvent> {
    for await (const message of follow(this.transport, '/audit/stream', { query: { type: types }, after, signal })) {
      yield parsed<LogEvent>(message);
    }
  }
}
