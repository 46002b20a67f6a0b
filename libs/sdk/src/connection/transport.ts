import { HarnessError, problemOf } from './error';
import { queryString, type Query } from './path';
import { Positions } from './positions';
import { DEFAULT_RETRY, nextDelay, type RetryPolicy } from './retry';

export type HarnessOptions = {
  /** Address of the server, without `/api/v1`. */
  readonly url: string;
  /** An API key, `hk_…`. */
  readonly key: string;
  /** Only for keys that serve several sites. */
  readonly siteId?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Reads wait until the read model shows what this client wrote or saw. Default true. */
  readonly readYourWrites?: boolean | undefined;
  readonly retry?: Partial<RetryPolicy> | undefined;
  /** Per attempt, in milliseconds. Default 120 000: a synchronous goal runs its task inside the request. */
  readonly timeoutMs?: number | undefined;
  /** A stream on which nothing arrives for so long is opened anew. Default 60 000. */
  readonly streamIdleMs?: number | undefined;
};

/** `position` is the log position that a write reached, or that a read shows. */
export type Answer<T> = { readonly data: T; readonly position: string };
export type Page<T> = { readonly data: readonly T[]; readonly nextCursor: string | null; readonly position: string };

export type ReadOptions = {
  readonly query?: Query | undefined;
  readonly minPosition?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};
export type WriteOptions = {
  /** Names this write, so that repeating it within 24 h has no second effect. Default: a random one, kept for the retries. */
  readonly idempotencyKey?: string | undefined;
  /** The version the caller has seen; the write is refused with `CONFLICT` when it has moved on. */
  readonly ifMatch?: string | number | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** JSON lines, whole or as they come. */
export type LinesBody = string | Uint8Array | ReadableStream<Uint8Array>;

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Call = { readonly url: string; readonly init: RequestInit; readonly signal: AbortSignal | undefined };

/** One connection: authentication, retries, read-your-writes, and errors as `HarnessError`. */
export class Transport {
  readonly positions = new Positions();
  readonly retry: RetryPolicy;
  readonly streamIdleMs: number;
  private readonly base: string;
  private readonly fetch: typeof globalThis.fetch;
  private readonly timeoutMs: number;

  constructor(private readonly options: HarnessOptions) {
    this.base = baseOf(options.url);
    this.retry = { ...DEFAULT_RETRY, ...options.retry };
    this.timeoutMs = options.timeoutMs ?? 120_000;
    this.streamIdleMs = options.streamIdleMs ?? 60_000;
    const given = options.fetch ?? globalThis.fetch;
    this.fetch = (input, init) => given(input, init);
  }

  /** The same server as somebody else, with positions of its own. */
  withKey = (key: string): Transport => new Transport({ ...this.options, key });

  read = <T>(path: string, options: ReadOptions = {}): Promise<Answer<T>> => this.get<Answer<T>>(path, options);

  page = <T>(path: string, options: ReadOptions = {}): Promise<Page<T>> => this.get<Page<T>>(path, options);

  async write<T>(method: Method, path: string, body?: unknown, options: WriteOptions = {}): Promise<Answer<T>> {
    const headers = this.headers();
    headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID());
    if (options.ifMatch !== undefined) headers.set('if-match', `"${options.ifMatch}"`);
    if (body !== undefined) headers.set('content-type', 'application/json');
    const init: RequestInit = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
    const answer = await this.withRetries<Answer<T>>({ url: this.url(path), init, signal: options.signal });
    this.positions.note(answer.position);
    return answer;
  }

  /** Opens a stream. Not retried here: the caller knows whether and where to go on. */
  async open(path: string, query: Query | undefined, lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
    const headers = this.headers({ accept: 'text/event-stream' });
    if (lastEventId !== undefined) headers.set('last-event-id', lastEventId);
    const response = await this.fetched({ url: this.url(path, query), init: { headers, cache: 'no-store' }, signal }, signal);
    if (response.ok) return response;
    throw problemOf(response.status, await response.text(), response.headers);
  }

  /** Asks with a body and hands on what is answered piece by piece. Not retried: a question changes nothing, so the caller may ask again. */
  async ask(path: string, body: unknown, accept: string, signal: AbortSignal): Promise<Response> {
    const headers = this.headers({ accept, 'content-type': 'application/json' });
    const response = await this.fetched({ url: this.url(path), init: { method: 'POST', headers, body: JSON.stringify(body) }, signal }, signal);
    if (response.ok) return response;
    throw problemOf(response.status, await response.text(), response.headers);
  }

  /** A read that is answered piece by piece, as JSON lines. Not retried here: the caller may have used some of it. */
  async lines(path: string, { query, minPosition, signal }: ReadOptions): Promise<Response> {
    const headers = this.reading(this.headers({ accept: 'application/x-ndjson' }), minPosition);
    const own = signal ?? new AbortController().signal;
    const response = await this.fetched({ url: this.url(path, query), init: { headers }, signal }, own);
    if (response.ok) return response;
    throw problemOf(response.status, await response.text(), response.headers);
  }

  /** Sends JSON lines as they come. Sent once: a stream cannot be sent again, and the server keeps no key for it. */
  async sendLines<T>(path: string, body: LinesBody, { encoding, signal }: { readonly encoding?: 'gzip' | undefined; readonly signal?: AbortSignal | undefined }): Promise<Answer<T>> {
    const headers = this.headers({ 'content-type': 'application/x-ndjson', ...(encoding !== undefined && { 'content-encoding': encoding }) });
    // Runtimes that stream a body want to be told so, and the type of a request does not know the word yet.
    const init = { method: 'POST', headers, body, duplex: 'half' } as unknown as RequestInit;
    const response = await this.fetched({ url: this.url(path), init, signal }, signal ?? new AbortController().signal);
    const text = await response.text();
    if (!response.ok) throw problemOf(response.status, text, response.headers);
    const answer = JSON.parse(text) as Answer<T>;
    this.positions.note(answer.position);
    return answer;
  }

  /** An address outside `/api/v1`: status and raw text, no retries, no key. */
  async probe(path: string, signal?: AbortSignal): Promise<{ readonly status: number; readonly body: string }> {
    const within = this.limited(signal);
    const response = await this.fetched({ url: this.base + path, init: {}, signal }, within);
    return { status: response.status, body: await response.text() };
  }

  private get<T>(path: string, { query, minPosition, signal }: ReadOptions): Promise<T> {
    return this.withRetries<T>({ url: this.url(path, query), init: { headers: this.reading(this.headers(), minPosition) }, signal });
  }

  /** What a read has to have seen. */
  private reading(headers: Headers, minPosition: string | undefined): Headers {
    const own = this.options.readYourWrites === false ? undefined : this.positions.last;
    const position = later(minPosition, own);
    if (position !== undefined) headers.set('x-min-position', position);
    return headers;
  }

  private async withRetries<T>(call: Call): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt<T>(call);
      } catch (error) {
        if (!(error instanceof HarnessError)) throw error;
        const delay = nextDelay(this.retry, attempt, error);
        if (delay === undefined) throw error;
        await this.retry.wait(delay, call.signal);
      }
    }
  }

  private async attempt<T>(call: Call): Promise<T> {
    const signal = this.limited(call.signal);
    const response = await this.fetched(call, signal);
    const body = await response.text().catch((cause: unknown) => {
      throw this.lost(call, cause);
    });
    if (!response.ok) throw problemOf(response.status, body, response.headers);
    if (body === '') return { data: undefined, position: response.headers.get('x-position') ?? '0' } as T;
    try {
      return JSON.parse(body) as T;
    } catch (cause) {
      throw new HarnessError({ status: response.status, code: 'UNEXPECTED_ANSWER', detail: 'The answer is not JSON', cause });
    }
  }

  private async fetched(call: Call, signal: AbortSignal): Promise<Response> {
    try {
      return await this.fetch(call.url, { ...call.init, signal });
    } catch (cause) {
      throw this.lost(call, cause);
    }
  }

  /** The caller's own abort passes through as it is; everything else becomes a HarnessError. */
  private lost({ url, signal }: Call, cause: unknown): unknown {
    if (signal?.aborted) return signal.reason;
    const { origin } = new URL(url);
    return (cause as Error | undefined)?.name === 'TimeoutError'
      ? new HarnessError({ status: 0, code: 'TIMEOUT', detail: `${origin} did not answer within ${this.timeoutMs} ms`, cause })
      : new HarnessError({ status: 0, code: 'NETWORK', detail: `${origin} cannot be reached: ${reasonOf(cause)}`, cause });
  }

  private limited(signal: AbortSignal | undefined): AbortSignal {
    const limit = AbortSignal.timeout(this.timeoutMs);
    return signal ? AbortSignal.any([signal, limit]) : limit;
  }

  private headers(extra: Record<string, string> = {}): Headers {
    const headers = new Headers({ accept: 'application/json', ...extra, authorization: `Bearer ${this.options.key}` });
    if (this.options.siteId !== undefined) headers.set('x-site-id', this.options.siteId);
    return headers;
  }

  private url = (path: string, query?: Query): string => `${this.base}/api/v1${path}${queryString(query)}`;
}

const baseOf = (text: string): string => {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new HarnessError({ status: 0, code: 'INVALID_ARGUMENT', detail: `"${text}" is not an http(s) address` });
  }
  const { origin, pathname } = new URL(text);
  return origin + pathname.replace(/\/+$/, '');
};

const later = (a: string | undefined, b: string | undefined): string | undefined =>
  a === undefined ? b : b === undefined ? a : BigInt(a) > BigInt(b) ? a : b;

/** Runtimes hide the useful part, such as ECONNREFUSED, in the cause of a bare "fetch failed". */
const reasonOf = (cause: unknown): string => {
  const { message, cause: inner } = (cause ?? {}) as {
    readonly message?: unknown;
    readonly cause?: { readonly code?: unknown; readonly message?: unknown };
  };
  const text = [inner?.code, inner?.message, message].find((part) => typeof part === 'string' && part !== '');
  return typeof text === 'string' ? text : String(cause);
};
