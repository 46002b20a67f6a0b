import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Harness } from '@app/sdk';

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };

export type ServerProcess = {
  readonly pid: number | undefined;
  readonly exited: Promise<Exit>;
  /** Asks the server to end in good order. */
  stop(): void;
  /** The server's address, once it is ready there; undefined when it ended first or the signal aborted. */
  untilReady(signal: AbortSignal): Promise<string | undefined>;
};

const built = (file: string): string => fileURLToPath(new URL(`../../gateway/src/${file}`, import.meta.url));
const READY = /^Agent Harness is ready at (\S+)\n/m;
const POLL_MS = 50;

/**
 * Starts the server as a child of this process. What it prints goes to `onPrinted`, or without that straight through; its errors always go
 * to stderr. Only what is handed on can be read, so `untilReady` needs `onPrinted`.
 */
export const startServer = (env: Readonly<Record<string, string | undefined>>, onPrinted?: (text: string) => void): ServerProcess => {
  const main = built('main.js');
  if (!existsSync(main)) throw new Error('The server is not built. Run: npm run build');
  const stdout = onPrinted ? 'pipe' : 'inherit';
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
  // The server names its address itself: only it knows which port it got for PORT=0.
  const listening = Promise.withResolvers<string>();
  let printed: string | undefined = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    onPrinted?.(text);
    if (printed === undefined) return;
    printed += text;
    const [, url] = READY.exec(printed) ?? [];
    if (url === undefined) return;
    printed = undefined;
    listening.resolve(url);
  });
  return {
    pid: child.pid,
    exited,
    stop: () => void child.kill('SIGTERM'),
    untilReady: async (signal) => {
      const none = () => undefined;
      const url = await Promise.race([listening.promise, exited.then(none, none), aborted(signal)]);
      if (url === undefined) return undefined;
      const { health } = new Harness({ url, key: '' });
      while (!ended && !signal.aborted) {
        const answer = await health.ready(signal).catch(none);
        if (answer?.ok) return url;
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
      return undefined;
    },
  };
};

const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    else signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
