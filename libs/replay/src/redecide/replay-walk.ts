import type { Recorded } from '@app/kernel';
import type { LogReads } from '../log-reads';
import { isAfter, isWithin, type Range } from '../moment/moment.policy';
import type { Rules } from './redecide.policy';
import { Walker, type Found } from './walker';

/** A stretch of a walk. `position` has been reached; the walk ends at `head`. */
export type Stretch = Found & { readonly position: bigint; readonly head: bigint };
export type Walk = {
  readonly siteId: string;
  /** With them, every decision is taken again and compared with the record; without, none is. */
  readonly rules?: Rules | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** Small enough that other requests get their turn every few milliseconds. */
const PAGE = 250;

/** Every decision of a site within a range, in log order, each in its world. Ends early when the signal aborts. */
export async function* walkSite(log: LogReads, { siteId, rules, from, to, signal }: Walk & Range): AsyncGenerator<Stretch, void, undefined> {
  const walker = new Walker(log, { rules, isWanted: (event) => isWithin(event, { from, to }) });
  const now = await log.head();
  const head = to && 'position' in to && to.position < now ? to.position : now;
  const start = from && 'position' in from ? from.position : 1n;
  if (start > 1n) for await (const event of until(log.read(`governance-${siteId}`), start)) void walker.feed(event);
  const filter = { siteId, categories: ['governance', 'run'] };
  for await (const page of log.readAll(start > 0n ? start - 1n : 0n, { filter, pageSize: PAGE, ...(signal && { signal }) })) {
    for (const event of page) {
      if (event.position > head) break;
      const reading = walker.feed(event);
      if (reading) await reading;
    }
    const reached = page.at(-1)!.position;
    if (reached > head) break;
    yield { ...walker.take(), position: reached, head };
  }
  if (signal?.aborted) return;
  walker.end();
  yield { ...walker.take(), position: head, head };
}

/** Every decision of one run in its world. Reads two streams and nothing else. */
export async function* walkRun(log: LogReads, runId: string, { siteId, rules, signal }: Walk): AsyncGenerator<Stretch, void, undefined> {
  const walker = new Walker(log, { rules });
  const streams = [`governance-${siteId}`, `run-${runId}`] as const;
  let position = 0n;
  let count = 0;
  for await (const event of merged(log.read(streams[0]), log.read(streams[1]))) {
    if (signal?.aborted) return;
    const reading = walker.feed(event);
    if (reading) await reading;
    position = event.position;
    if (++count % PAGE === 0) yield { ...walker.take(), position, head: await log.head() };
  }
  walker.end();
  yield { ...walker.take(), position, head: position };
}

async function* until(events: AsyncIterable<Recorded>, position: bigint): AsyncGenerator<Recorded, void, undefined> {
  for await (const event of events) {
    if (!isAfter(event, { position: position - 1n })) yield event;
    else return;
  }
}

/** Two streams in log order, up to the end of the second: what the first holds beyond it decided nothing in the second. */
async function* merged(first: AsyncIterable<Recorded>, second: AsyncIterable<Recorded>): AsyncGenerator<Recorded, void, undefined> {
  const others = first[Symbol.asyncIterator]();
  try {
    let other = await others.next();
    for await (const event of second) {
      for (; !other.done && other.value.position < event.position; other = await others.next()) yield other.value;
      yield event;
    }
  } finally {
    await others.return?.();
  }
}
