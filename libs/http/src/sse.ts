import { Logger } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { toJson } from './json/serialise';
import { logLine, stackOf } from './log-line';
import { failureOf } from './problem-of';

/** `data` is sent as JSON; `id` is what a client sends back as `Last-Event-ID`. */
export type ServerSentEvent = { readonly id?: string; readonly event?: string; readonly data: unknown };

export type SseOptions = {
  /** Ends the stream; give `draining.signal`, else an open stream holds the server open for ever. */
  readonly signal: AbortSignal;
  /** A comment line is sent after this much silence, so that proxies keep the connection. Default 15 000. */
  readonly keepAliveMs?: number;
};

const HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' };

/**
 * Answers with an event stream. `open` gets a signal that aborts when the client leaves or the server stops, and must end its iterable then.
 * The next event is taken only after the socket has taken the one before, so a slow client holds one event, not a queue. A failure ends the
 * stream with one event named `problem`. Resolves when the stream has ended.
 */
export const sse = async (
  reply: FastifyReply,
  open: (signal: AbortSignal) => AsyncIterable<ServerSentEvent>,
  { signal, keepAliveMs = 15_000 }: SseOptions,
): Promise<void> => {
  const left = new AbortController();
  const ended = AbortSignal.any([signal, left.signal]);
  const { raw } = reply;
  reply.hijack();
  raw.once('close', () => left.abort());
  if (raw.closed) left.abort();
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS });
  raw.flushHeaders();
  const silence = setInterval(() => raw.writableNeedDrain || raw.write(':\n\n'), keepAliveMs).unref();
  try {
    if (!ended.aborted) await pump(raw, open(ended), ended, silence);
  } catch (error) {
    if (!ended.aborted) raw.write(textOf({ event: 'problem', data: problemFor(reply, error) }));
  } finally {
    clearInterval(silence);
    raw.end();
  }
};

const pump = async (raw: ServerResponse, events: AsyncIterable<ServerSentEvent>, ended: AbortSignal, silence: NodeJS.Timeout) => {
  const iterator = events[Symbol.asyncIterator]();
  const orEnd = untilAborted(ended);
  for (;;) {
    const next = await orEnd(iterator.next());
    if (next === 'end' || next.done) {
      // Not awaited: a generator that is waiting for its next event returns only when that one comes.
      if (next === 'end') iterator.return?.().catch(() => undefined);
      return;
    }
    silence.refresh();
    if (!raw.write(textOf(next.value))) await orEnd(once(raw, 'drain', { signal: ended }).catch(() => undefined));
  }
};

/** Waits for a promise or for the signal. Not `Promise.race`: that would leave one callback per event with the signal's promise, for hours. */
const untilAborted = (signal: AbortSignal) => {
  let wake = () => {};
  signal.addEventListener('abort', () => wake(), { once: true });
  return <T>(step: Promise<T>) =>
    new Promise<T | 'end'>((resolve, reject) => {
      wake = () => resolve('end');
      if (signal.aborted) wake();
      step.then(resolve, reject);
    });
};

/** JSON holds no raw line break, so `data` is one line; `id` and `event` lose what would start another field. */
const textOf = ({ id, event, data }: ServerSentEvent): string =>
  `${id === undefined ? '' : `id: ${oneLine(id)}\n`}${event === undefined ? '' : `event: ${oneLine(event)}\n`}data: ${toJson(data)}\n\n`;

const oneLine = (text: string) => text.replace(/[\r\n\0]/g, '');

const problemFor = ({ request }: FastifyReply, error: unknown) => {
  const { exception, unexpected } = failureOf(error);
  if (unexpected) new Logger('EventStream').error(logLine({ requestId: request.id, url: request.url.split('?', 1)[0], error: stackOf(error) }));
  return exception.problem;
};
