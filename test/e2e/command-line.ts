import { spawn } from 'node:child_process';
import { copyFile, mkdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { compiled } from './compiled';
import { until } from './machine';

const ROOT = resolve(import.meta.dirname, '../..');
const BIN = 'apps/cli/bin/harness.mjs';
const PRINT_MS = 30_000;

export type Ended = { readonly code: number | null; readonly out: string; readonly err: string };
export type Started = {
  readonly pid: number;
  readonly ended: Promise<Ended>;
  out(): string;
  err(): string;
  /** The first answer that says something, asked again with all that was printed to stdout so far. */
  untilOut<T>(ask: (printed: string) => T): Promise<NonNullable<T>>;
  /** As Ctrl-C does. */
  interrupt(): Promise<Ended>;
};
type Environment = Readonly<Record<string, string>>;

/** What a person has after `npm run build`, in a folder of its own: the scripts and the executable as they are, the build made by the tests. */
export const builtCheckout = async (folder: string): Promise<string> => {
  await mkdir(join(folder, dirname(BIN)), { recursive: true });
  for (const file of ['package.json', BIN]) await copyFile(join(ROOT, file), join(folder, file));
  await symlink(await compiled(), join(folder, 'dist'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
};

/** Programs that the tests start in a checkout, each with no environment but what is given. */
export class CommandLine {
  private readonly running = new Set<number>();

  constructor(
    private readonly checkout: string,
    private readonly environment: Environment = {},
  ) {}

  /** `harness …`, without waiting for anything. */
  start(args: readonly string[], environment: Environment = {}, input?: string): Started {
    return this.launch(process.execPath, [join(this.checkout, BIN), ...args], environment, input);
  }

  /** `harness …`, to its end; `input` is what it finds on standard input. */
  run(args: readonly string[], environment: Environment = {}, input?: string): Promise<Ended> {
    return this.start(args, environment, input).ended;
  }

  /** `npm run <script> -- …`; the build that the script asks for first is there already. */
  script(name: string, args: readonly string[], environment: Environment = {}): Started {
    return this.launch('npm', ['run', '--silent', '--ignore-scripts', name, '--', ...args], environment);
  }

  cleanUp(): void {
    for (const pid of this.running) process.kill(-pid, 'SIGKILL');
  }

  private launch(program: string, args: readonly string[], environment: Environment, input?: string): Started {
    const child = spawn(program, args, {
      cwd: this.checkout, detached: true, stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: this.checkout, TMPDIR: tmpdir(), ...this.environment, ...environment },
    });
    const pid = child.pid!;
    // A program that ends without reading what it is given is none of our errors.
    child.stdin.on('error', () => undefined).end(input);
    let [out, err, over] = ['', '', false];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
    this.running.add(pid);
    const ended = new Promise<Ended>((done) => child.once('close', (code) => {
      over = true;
      this.running.delete(pid);
      done({ code, out, err });
    }));
    return {
      pid, ended, out: () => out, err: () => err,
      untilOut: (ask) => until(() => {
        const answer = ask(out);
        if (!answer && over) throw new Error(`It ended before it printed what was waited for:\n${out}${err}`);
        return answer;
      }, () => `more output than this:\n${out}${err}`, PRINT_MS),
      interrupt: () => {
        child.kill('SIGINT');
        return ended;
      },
    };
  }
}
