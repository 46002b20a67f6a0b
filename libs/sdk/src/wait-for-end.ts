import type { RunView } from '@app/runs/contract';
import type { ReadOptions } from './connection/transport';
import type { LogEvent } from './log-event';

const FINAL_STATUSES: ReadonlySet<string> = new Set(['succeeded', 'failed', 'cancelled']);
export const FINAL_EVENTS: ReadonlySet<string> = new Set(['RunSucceeded', 'RunFailed', 'RunCancelled', 'RunDeadLettered']);

export const hasEnded = ({ status }: Pick<RunView, 'status'>): boolean => FINAL_STATUSES.has(status);

type Look = (options: ReadOptions) => Promise<{ readonly data: RunView; readonly position: string }>;
type Follow = (after: string, signal: AbortSignal | undefined) => AsyncIterable<LogEvent>;

/** Looks once, then waits on the run's stream, which ends with the run. */
export const awaitEnd = async (look: Look, follow: Follow, signal: AbortSignal | undefined): Promise<RunView> => {
  const first = await look({ signal });
  if (hasEnded(first.data)) return first.data;
  let last = first.position;
  for await (const { position } of follow(first.position, signal)) last = position;
  signal?.throwIfAborted();
  return (await look({ minPosition: last, signal })).data;
};
