import { SingleBar } from 'cli-progress';
import type { AgentMessage } from './agent-messages';

const NAMES = { import: 'Importing rows', fix: 'Fixing titles', approval: 'Waiting for approval' } as const;

/** Shows what the agent reports: a bar when a person watches, one line a step otherwise. Always on stderr. */
export class ProgressLine {
  private step: keyof typeof NAMES | undefined;
  private bar: SingleBar | undefined;

  constructor(
    private readonly isWatched: boolean,
    private readonly rows: number,
    private readonly write: (text: string) => void,
  ) {}

  show({ step, done, total = this.rows }: Extract<AgentMessage, { kind: 'progress' }>): void {
    if (step !== this.step) this.begin(step, total);
    this.bar?.update(done);
  }

  say(text: string): void {
    this.end();
    this.write(`${text}\n`);
  }

  end(): void {
    this.bar?.stop();
    this.bar = undefined;
    this.step = undefined;
  }

  private begin(step: keyof typeof NAMES, total: number): void {
    this.end();
    this.step = step;
    if (!this.isWatched || step === 'approval') return this.write(`${NAMES[step]} …\n`);
    this.bar = new SingleBar({
      format: `${NAMES[step].padEnd(16)} {bar} {value}/{total}`,
      stream: process.stderr,
      barsize: 30,
      hideCursor: true,
    });
    this.bar.start(total, 0);
  }
}
