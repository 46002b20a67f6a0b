import { setTimeout as sleep } from 'node:timers/promises';

/** Asking costs one read below `/proc`. */
const POLL_MS = 1_000;
const RETRY_MS = 5_000;

export type Kept = { isRunning(): boolean; start(): Promise<void> };

/**
 * Starts the database again when it has ended though nobody stopped it, and tells so in sentences. The answer ends the watch; it resolves
 * when no start is under way any more.
 */
export const keepRunning = (database: Kept, name: string, tell: (sentence: string) => void): (() => Promise<void>) => {
  const over = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
  const watch = async () => {
    for (await pause(POLL_MS); !over.signal.aborted; await pause(POLL_MS)) {
      if (database.isRunning()) continue;
      tell(`The database in ${name} has ended. Starting it again.`);
      try {
        await database.start();
        tell(`The database in ${name} runs again.`);
      } catch (error) {
        tell(`The database in ${name} could not be started again; another attempt follows. ${error instanceof Error ? error.message : String(error)}`);
        await pause(RETRY_MS);
      }
    }
  };
  const watching = watch();
  return () => {
    over.abort();
    return watching;
  };
};
