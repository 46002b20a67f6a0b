import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from './machine';

const PRINT_MS = 30_000;

export type Pasted = {
  /** Everything it printed, to both streams, when it has ended. */
  ended(): Promise<string>;
  untilPrinted(text: string): Promise<unknown>;
};

/** A terminal as a reader has it: blocks are pasted into it one after another, and what one of them sets is there for the next. */
export class ReaderShell {
  private readonly bash: ChildProcess;
  private printed = '';

  constructor(private readonly folder: string) {
    // A group of its own, so that what a block leaves running ends with the shell.
    this.bash = spawn('bash', ['--norc', '--noprofile'], { cwd: folder, detached: true, stdio: ['pipe', 'pipe', 'inherit'], env: { PATH: process.env['PATH'], HOME: folder, TMPDIR: tmpdir() } });
    this.bash.stdout!.setEncoding('utf8').on('data', (text: string) => (this.printed += text));
  }

  paste(text: string): Pasted {
    const mark = `${randomUUID()}\n`;
    const file = join(this.folder, `${mark.trim()}.sh`);
    writeFileSync(file, text);
    const from = this.printed.length;
    this.bash.stdin!.write(`. ${file} < /dev/null 2>&1\necho ${mark}`);
    const printed = () => this.printed.slice(from);
    const waiting = (isThere: () => boolean, what: string) => until(isThere, () => `${what} of\n${text}\nwhich printed\n${printed()}`, PRINT_MS);
    return {
      ended: () => waiting(() => printed().endsWith(mark), 'The end').then(() => printed().slice(0, -mark.length)),
      untilPrinted: (part) => waiting(() => printed().includes(part), part),
    };
  }

  close(): void {
    process.kill(-this.bash.pid!, 'SIGKILL');
  }
}
