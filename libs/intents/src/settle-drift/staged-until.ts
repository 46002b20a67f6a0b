import type { EventStore } from '@app/event-store';
import type { Recorded } from '@app/kernel';
import type { RunEvent } from '@app/runs/contract';

/** When the last change that a run staged is committed, unless somebody vetoes it; null when it staged none. */
export const stagedUntil = async (store: EventStore, runId: string): Promise<string | null> => {
  let latest: string | null = null;
  for await (const recorded of store.read(`run-${runId}`)) {
    const event = recorded as Recorded<RunEvent>;
    if (event.type === 'ToolCallStaged' && (latest === null || event.data.autoCommitAt > latest)) latest = event.data.autoCommitAt;
  }
  return latest;
};
