/** At most so many at once; the others wait in line, and a line that is too long takes no more. */
export class Slots {
  private free: number;
  private readonly line: (() => void)[] = [];

  constructor(
    atOnce: number,
    private readonly waiting: number,
  ) {
    this.free = atOnce;
  }

  /** Undefined when the line is full. An aborted signal leaves the line and rejects with the signal's reason. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<{ readonly done: T } | undefined> {
    if (this.free === 0) {
      if (this.line.length >= this.waiting) return undefined;
      await this.turn(signal);
    } else this.free--;
    try {
      signal.throwIfAborted();
      return { done: await work() };
    } finally {
      const next = this.line.shift();
      if (next) next();
      else this.free++;
    }
  }

  private turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      const at = this.line.indexOf(mine);
      if (at < 0) return;
      this.line.splice(at, 1);
      reject(signal.reason as Error);
    };
    const mine = () => {
      signal.removeEventListener('abort', leave);
      resolve();
    };
    this.line.push(mine);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    return promise;
  }
}
