import { setTimeout as sleep } from 'node:timers/promises';

export type KeeperPace = {
  /** Between two looks; one costs a read below `/proc`. Default 1 s. */
  readonly lookMs?: number;
  /** After a start that failed. Default 5 s. */
  readonly retryMs?: number;
};

export type Kept = { isRunning(): boolean; start(): Promise<void> };

/**
 * Starts the database again when it has ended though nobody stopped it, and tells so in sentences. The answer ends the watch; it resolves
 * when no start is under way any more.
 */
export const keepRunning = (database: Kept, name: string, tell: (sentence: string) => void, pace: KeeperPace = {}): (() => Promise<void>) => {
  const { lookMs = 1_000, retryMs = 5_000 } = pace;
  const over = new AbortController();
  const pause = (ms: number) => sleep(ms, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
  const watch = async () => {
    for (await pause(lookMs); !over.signal.aborted; await pause(lookMs)) {
      if (database.isRunning()) continue;
      tell(`The database in ${name} has ended. Starting it again.`);
      try {
        await database.start();
        tell(`The database in ${name} runs again.`);
      } catch (error) {
        tell(`The database in ${name} could not be started again; another attempt follows. ${error instanceof Error ? error.message : String(error)}`);
        await pause(retryMs);
      }
    }
  };
  const watching = watch();
  return () => {
    over.abort();
    return watching;
  };
};
