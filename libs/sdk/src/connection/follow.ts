import { HarnessError, problemOf } from './error';
import { EventStreamParser, type StreamMessage } from './event-stream';
import type { Query } from './path';
import { isAtOrBefore } from './positions';
import { backoffMs } from './retry';
import type { Transport } from './transport';

export type FollowOptions = {
  readonly query?: Query | undefined;
  /** Go on after this id. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Asked each time the server closes the stream in good order: is there nothing more to come? */
  readonly finished?: (() => Promise<boolean>) | undefined;
};

/** Rejects the awaited thing when it takes longer than the limit; time the consumer spends on a message does not count. */
const watched = async <T>(transport: Transport, own: AbortController, waiting: Promise<T>): Promise<T> => {
  const silent = new HarnessError({ status: 0, code: 'NETWORK', detail: `Nothing arrived for ${transport.streamIdleMs} ms` });
  const timer = setTimeout(() => own.abort(silent), transport.streamIdleMs);
  try {
    return await waiting;
  } finally {
    clearTimeout(timer);
  }
};

/** The messages of one connection, after the word that it is open. Ends when the server ends it; throws when it is cut or silent for too long. */
async function* messages(
  transport: Transport,
  path: string,
  after: string | undefined,
  options: FollowOptions,
): AsyncGenerator<StreamMessage | 'opened'> {
  const own = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, own.signal]) : own.signal;
  try {
    const response = await watched(transport, own, transport.open(path, options.query, after, signal));
    yield 'opened';
    if (response.status === 204 || !response.body) return;
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    const parser = new EventStreamParser();
    for (;;) {
      const { done, value } = await watched(transport, own, reader.read());
      if (done) return;
      for (const message of parser.push(decoder.decode(value, { stream: true }))) {
        if (message.event === 'problem') throw problemOf(500, message.data, new Headers());
        yield message;
      }
    }
  } catch (error) {
    if (options.signal?.aborted || error instanceof HarnessError) throw error;
    throw new HarnessError({ status: 0, code: 'NETWORK', detail: 'The stream was cut', cause: error });
  } finally {
    own.abort();
  }
}

/** A refusal that will not change by asking again, such as a revoked key. */
const isRefusal = (error: HarnessError): boolean => error.status >= 400 && error.status < 500 && error.status !== 429;

/**
 * A stream that survives cuts, silence and server restarts: it reconnects with `Last-Event-ID` and hands every message on once, in order.
 * The first connection must succeed within the normal retries, so a wrong address or key fails at once; after that it tries until the
 * caller's signal aborts or the server refuses (4xx). Aborting ends the iteration without an error.
 */
export async function* follow(transport: Transport, path: string, options: FollowOptions = {}): AsyncGenerator<StreamMessage> {
  const { retry } = transport;
  let last = options.after;
  let opened = false;
  let fruitless = 0;
  while (!options.signal?.aborted) {
    let asked = 0;
    try {
      for await (const message of messages(transport, path, last, options)) {
        opened = true;
        if (message === 'opened') continue;
        fruitless = 0;
        if (message.id !== undefined && last !== undefined && isAtOrBefore(message.id, last)) continue;
        last = message.id ?? last;
        transport.positions.note(message.id);
        yield message;
      }
      if (await options.finished?.()) return;
    } catch (error) {
      if (options.signal?.aborted) return;
      if (!(error instanceof HarnessError) || isRefusal(error)) throw error;
      if (!opened && fruitless + 1 >= retry.attempts) throw error;
      asked = error.retryAfterMs ?? 0;
    }
    fruitless++;
    await retry.wait(Math.max(asked, backoffMs(retry, fruitless)), options.signal).catch(() => undefined);
  }
}

/** A stream that has a last message and cannot be resumed. Ends after the first message for which `isLast` holds; a cut before that throws. */
export async function* untilLast(
  transport: Transport,
  path: string,
  isLast: (message: StreamMessage) => boolean,
  options: Pick<FollowOptions, 'query' | 'signal'> = {},
): AsyncGenerator<StreamMessage> {
  for await (const message of messages(transport, path, undefined, options)) {
    if (message === 'opened') continue;
    yield message;
    if (isLast(message)) return;
  }
  throw new HarnessError({ status: 0, code: 'STREAM_CUT', detail: 'The stream ended before its last message' });
}
