import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HealthChecks } from '@app/sdk';

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type ServerProcess = {
  readonly pid: number | undefined;
  readonly exited: Promise<Exit>;
  /** Asks the server to end in good order. */
  stop(): void;
  /** True once the server is ready; false when it ended first or the signal aborted. */
  untilReady(health: HealthChecks, signal: AbortSignal): Promise<boolean>;
};

const built = (file: string): string => fileURLToPath(new URL(`../../gateway/src/${file}`, import.meta.url));
const POLL_MS = 50;

/** Starts the server as a child of this process. `output`: straight through, all of it to stderr, or dropped but for errors. */
export const startServer = (env: Readonly<Record<string, string | undefined>>, output: 'inherit' | 'stderr' | 'errors'): ServerProcess => {
  const main = built('main.js');
  if (!existsSync(main)) throw new Error('The server is not built. Run: npm run build');
  const stdout = output === 'inherit' ? 'inherit' : output === 'stderr' ? 2 : 'ignore';
  const child = spawn(process.execPath, ['--import', built('source-maps.js'), main], { env, stdio: ['ignore', stdout, 'inherit'] });
  let ended = false;
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', (error) => {
      ended = true;
      reject(error);
    });
    child.once('exit', (code, signal) => {
      ended = true;
      resolve({ code, signal });
    });
  });
  // Who waits for readiness first may come to this later.
  exited.catch(() => undefined);
  return {
    pid: child.pid,
    exited,
    stop: () => void child.kill('SIGTERM'),
    untilReady: async (health, signal) => {
      for (;;) {
        if (ended || signal.aborted) return false;
        const answer = await health.ready(signal).catch(() => undefined);
        if (answer?.ok) return true;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    },
  };
};
