import { HarnessError, problemOf } from './error';
import type { ReadOptions, Transport } from './transport';

/** The documents of an answer with one JSON document a line. Ends after the first one for which `isLast` holds; a cut before that throws. */
export async function* jsonLines<T extends object>(
  transport: Transport,
  path: string,
  body: unknown,
  isLast: (document: T) => boolean,
  signal?: AbortSignal,
): AsyncGenerator<T> {
  const own = new AbortController();
  const ended = signal ? AbortSignal.any([signal, own.signal]) : own.signal;
  try {
    for await (const document of documentsOf<T>(await transport.ask(path, body, 'application/x-ndjson', ended))) {
      yield document;
      if (isLast(document)) return;
    }
  } catch (error) {
    if (signal?.aborted || error instanceof HarnessError) throw error;
    throw new HarnessError({ status: 0, code: 'NETWORK', detail: 'The answer was cut', cause: error });
  } finally {
    own.abort();
  }
  throw new HarnessError({ status: 0, code: 'STREAM_CUT', detail: 'The answer ended before its last line' });
}

/** The documents of an answer that ends by itself. One that only holds `problem` is the failure that ended it. */
export async function* allLines<T extends object>(transport: Transport, path: string, options: ReadOptions): AsyncGenerator<T> {
  const own = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, own.signal]) : own.signal;
  try {
    yield* documentsOf<T>(await transport.lines(path, { ...options, signal }));
  } catch (error) {
    if (options.signal?.aborted || error instanceof HarnessError) throw error;
    throw new HarnessError({ status: 0, code: 'STREAM_CUT', detail: 'The answer was cut', cause: error });
  } finally {
    own.abort();
  }
}

async function* documentsOf<T extends object>(response: Response): AsyncGenerator<T> {
  let rest = '';
  for await (const text of texts(response)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const document = JSON.parse(line) as T | { readonly problem: unknown };
      if ('problem' in document) throw problemOf(500, JSON.stringify(document.problem), new Headers());
      yield document;
    }
  }
}

async function* texts({ body }: Response): AsyncGenerator<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) yield decoder.decode(next.value, { stream: true });
}
