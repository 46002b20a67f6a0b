import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestDatabase } from '../database';
import { compiled } from './compiled';
import { processesIn, signalTo, until } from './machine';

/** Servers here are started again and again from the same files: the compiled code of one start serves the next. */
const CODE_CACHE = join(tmpdir(), 'harness-e2e-code');

export type Exit = { readonly code: number | null; readonly signal: NodeJS.Signals | null };
type Environment = Readonly<Record<string, string>>;
export type ServerProcess = {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** Everything it has printed so far, to both streams. */
  output(): string;
  untilPrinted(text: RegExp, withinMs?: number): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  /** SIGTERM, and its end. */
  stop(): Promise<Exit>;
  /** SIGKILL, and its end; an embedded database keeps running. */
  kill(): Promise<Exit>;
};
/** Ready. `url` is where it listens, and empty for a process that is only a worker. */
export type ReadyProcess = ServerProcess & { readonly url: string };

const READY = /Agent Harness is ready at (\S+)|Ready: worker/;
const START_MS = 40_000;

/** Whole server processes, each in a data directory of its own unless told otherwise; `cleanUp` leaves nothing behind. */
export class Processes {
  private readonly running = new Set<ServerProcess>();
  private readonly directories: string[] = [];

  /** Open for the database's account to pass, as a checkout outside of a closed home folder is. */
  directory(): string {
    const directory = mkdtempSync(join(tmpdir(), 'harness-process-'));
    chmodSync(directory, 0o711);
    this.directories.push(directory);
    return directory;
  }

  /** Without waiting for anything. The environment is what is given here and no more. */
  async launch(environment: Environment, cwd = this.directory()): Promise<ServerProcess> {
    // Without the source maps of the start script: they make stack traces readable and take a fifth of a start.
    const child = spawn(process.execPath, [join(await compiled(), 'apps/gateway/src/main.js')], {
      cwd, env: { PATH: process.env['PATH'], TMPDIR: tmpdir(), NODE_COMPILE_CACHE: CODE_CACHE, ...environment }, stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
    let ended = false;
    const exited = new Promise<Exit>((done) => child.once('close', (code, signal) => {
      ended = true;
      done({ code, signal });
    }));
    const end = (name: NodeJS.Signals) => {
      child.kill(name);
      return exited;
    };
    const server: ServerProcess = {
      pid: child.pid!, exited, output: () => printed, signal: (name) => void child.kill(name),
      stop: () => end('SIGTERM'), kill: () => end('SIGKILL'),
      untilPrinted: (text, withinMs = START_MS) => until(() => {
        const found = text.exec(printed);
        if (!found && ended) throw new Error(`The server ended before it printed ${text}:\n${printed}`);
        return found;
      }, () => `${text} in the output of the server:\n${printed}`, withinMs),
    };
    this.running.add(server);
    void exited.then(() => this.running.delete(server));
    return server;
  }

  /** Until it says that it is ready. A free port is chosen unless the environment names one. */
  async start(environment: Environment = {}, cwd?: string): Promise<ReadyProcess> {
    const server = await this.launch({ PORT: '0', LOG_LEVEL: 'log', ...environment }, cwd);
    const [, url] = await server.untilPrinted(READY);
    return { ...server, url: url ?? '' };
  }

  async cleanUp(): Promise<void> {
    await Promise.all([...this.running].map((server) => server.kill()));
    for (const directory of this.directories.splice(0)) {
      for (const pid of processesIn(join(directory, '.harness/postgres/cluster'))) signalTo(pid, 'SIGKILL');
      rmSync(directory, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

/** For `DATABASE_URL`. */
export const urlOf = ({ host, port, user, database }: Omit<TestDatabase, 'drop'>): string =>
  `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
