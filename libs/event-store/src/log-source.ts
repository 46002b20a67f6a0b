import type { Recorded } from '@app/kernel';
import type { EventFilter, ReadOptions } from './event-store';

/**
 * Matching events with positions in (after, reached], and the head at the same instant. `reached` moves on also when nothing matched;
 * it equals `after` only at the end of the log. `bytes` estimates what the events take in memory.
 */
export type LogPage = { readonly events: readonly Recorded[]; readonly reached: bigint; readonly head: bigint; readonly bytes: number };

export type PageRequest = { readonly after: bigint; readonly limit: number; readonly upTo?: bigint; readonly filter?: EventFilter };

/** Where a reader gets its pages from. An unfiltered page is dense; a source that finds it is not throws `LogGap`. */
export type LogSource = { page(request: PageRequest): Promise<LogPage> };

export const DEFAULT_PAGE_SIZE = 1_000;

/** Pages up to the head at the time of the first one. */
export async function* pagesOf(source: LogSource, after: bigint, options: ReadOptions = {}): AsyncGenerator<readonly Recorded[], void, undefined> {
  const { filter, signal, pageSize: limit = DEFAULT_PAGE_SIZE } = options;
  let head: bigint | undefined;
  let position = after;
  while (!signal?.aborted && (head === undefined || position < head)) {
    const page = await source.page({ after: position, limit, ...(head !== undefined && { upTo: head }), ...(filter && { filter }) });
    head ??= page.head;
    if (page.events.length > 0) yield page.events;
    if (page.reached === position) return;
    position = page.reached;
  }
}
