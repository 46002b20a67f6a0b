import { Pause } from '../pause';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

export class Closed extends Error {}

/** Does things again, with growing pauses, until they succeed or it is closed; then it rejects with `Closed`. */
export class Persistence {
  private readonly pauses = new Set<Pause>();
  private isClosed = false;

  constructor(private readonly onError: (error: unknown) => void) {}

  async until<T>(work: () => Promise<T>): Promise<T> {
    const pause = new Pause();
    this.pauses.add(pause);
    try {
      for (let pauseMs = FIRST_PAUSE_MS; !this.isClosed; pauseMs = Math.min(LONGEST_PAUSE_MS, pauseMs * 2)) {
        try {
          return await work();
        } catch (error) {
          this.onError(error);
          await pause.atMost(pauseMs);
        }
      }
      throw new Closed('The queue was closed before it could start.');
    } finally {
      this.pauses.delete(pause);
    }
  }

  close(): void {
    this.isClosed = true;
    for (const pause of this.pauses) pause.wake();
  }
}
