import type { DeadLetter } from './dead-letter';
import type { JobStore } from './job-store';
import { Pause } from './pause';

export type LetterWatchOptions = {
  readonly store: JobStore;
  readonly handler: (letter: DeadLetter) => Promise<void>;
  readonly pollMs: number;
  readonly onError: (error: unknown) => void;
};

const AT_ONCE = 50;

/** Looks for letters that nobody was told of. One whose handler fails is told of again at the next look and does not keep the others back. */
export class LetterWatch {
  private readonly pause = new Pause();
  private stopped = false;
  private readonly watching: Promise<void>;

  constructor(private readonly options: LetterWatchOptions) {
    this.watching = this.watch();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    this.pause.wake();
    await this.watching;
  }

  private async watch(): Promise<void> {
    while (!this.stopped) {
      await this.look().catch(this.options.onError);
      await this.pause.atMost(this.options.pollMs);
    }
  }

  private async look(): Promise<void> {
    const { store, onError } = this.options;
    for (let failed = 0; ; ) {
      const letters = await store.unnoticed(AT_ONCE, failed);
      for (const letter of letters) {
        if (this.stopped) return;
        await this.tell(letter).catch((error: unknown) => (failed++, onError(error)));
      }
      if (letters.length < AT_ONCE) return;
    }
  }

  private async tell(letter: DeadLetter): Promise<void> {
    await this.options.handler(letter);
    await this.options.store.noticed(letter.id);
  }
}
