/** Lets tasks wait for a change. `changes` counts them, so a change between looking and waiting is not missed. */
export class Condition {
  private readonly waiting = new Set<() => void>();
  private count = 0;

  get changes(): number {
    return this.count;
  }

  notifyAll() {
    this.count++;
    for (const wake of [...this.waiting]) wake();
  }

  /** Resolves when there have been more changes than `seen`, at the latest after `ms` or when the signal aborts. */
  after(seen: number, { ms, signal }: { readonly ms?: number | undefined; readonly signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.count !== seen || signal?.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(() => wake(), ms).unref();
      const wake = () => {
        this.waiting.delete(wake);
        clearTimeout(timer);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      this.waiting.add(wake);
      signal?.addEventListener('abort', wake);
    });
  }
}
