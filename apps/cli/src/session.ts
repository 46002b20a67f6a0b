import { Harness, HarnessError } from '@app/sdk';
import type { Command } from 'commander';
import { printable, type Terminal } from './terminal';

export const DEFAULT_URL = 'http://127.0.0.1:4600';

export type GlobalOptions = { readonly url?: string; readonly key?: string; readonly site?: string; readonly json?: boolean };

/** A wrong command line: exit code 2, where 1 means that the work itself failed. */
export class UsageError extends Error {}

/** What a command works with: the connection, and one way to print for people and for scripts. */
export class Session {
  readonly json: boolean;
  private connected: Harness | undefined;

  constructor(
    readonly terminal: Terminal,
    private readonly options: GlobalOptions,
  ) {
    this.json = options.json === true;
  }

  get url(): string {
    return this.options.url ?? this.terminal.env['HARNESS_URL'] ?? DEFAULT_URL;
  }

  get key(): string {
    const key = this.options.key ?? this.terminal.env['HARNESS_KEY'];
    if (!key) throw new UsageError('No API key: set HARNESS_KEY, or give --key');
    return key;
  }

  get siteId(): string | undefined {
    return this.options.site ?? this.terminal.env['HARNESS_SITE'];
  }

  get harness(): Harness {
    this.connected ??= new Harness({ url: this.url, key: this.key, siteId: this.siteId });
    return this.connected;
  }

  /** One document: JSON for scripts, text for people. */
  print(document: unknown, text: string): void {
    this.terminal.out(this.json ? `${JSON.stringify(document, null, 2)}\n` : `${text}\n`);
  }

  note(text: string): void {
    this.terminal.err(`${text}\n`);
  }
}

/** Tells what went wrong, on `err` for people and as a document for scripts; answers the exit code. */
export const reportFailure = (error: unknown, json: boolean, { out, err }: Terminal): number => {
  const usage = error instanceof UsageError;
  const problem =
    error instanceof HarnessError
      ? { code: error.code, status: error.status, detail: error.detail, facts: error.facts }
      : { code: usage ? 'USAGE' : 'FAILED', detail: error instanceof Error ? error.message : String(error) };
  if (json) out(`${JSON.stringify({ error: problem }, null, 2)}\n`);
  else err(`harness: ${printable(problem.detail)}${usage ? '' : ` (${problem.code})`}\n`);
  return usage ? 2 : 1;
};

/** Wraps a command's work. The work answers an exit code, or nothing for 0. */
export type Work = (session: Session, args: readonly string[], options: Readonly<Record<string, unknown>>) => Promise<number | void>;

/** Commander hands an action its arguments, its options and itself; the global options sit on the root. */
export type Runner = (work: Work) => (...given: unknown[]) => Promise<void>;

export const runner =
  (terminal: Terminal, onExit: (code: number) => void): Runner =>
  (work) =>
  async (...given) => {
    const command = given.at(-1) as Command;
    const session = new Session(terminal, command.optsWithGlobals());
    onExit((await work(session, command.args, command.opts())) ?? 0);
  };
