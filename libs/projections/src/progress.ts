type Waiter = { readonly position: bigint; readonly settle: () => void };

/**
 * How far the read models that this very process maintains have come: readers beside the runtime wait without asking the database.
 * A position counts once its rows can be read, which may be a moment before an idle projection's checkpoint is stored.
 */
export class ProjectionProgress {
  private readonly positions = new Map<string, bigint>();
  private readonly waiters = new Map<string, Set<Waiter>>();

  /** Undefined when another process, or nobody, maintains this read model. */
  position = (name: string): bigint | undefined => this.positions.get(name);

  advance(name: string, position: bigint): void {
    this.positions.set(name, position);
    this.observe(name, position);
  }

  /** The read model is now maintained elsewhere, or goes back to an older generation. */
  forget(name: string): void {
    this.positions.delete(name);
  }

  /** Lets waiters go that were waiting for this position, whoever reached it. */
  observe(name: string, position: bigint): void {
    for (const waiter of this.waiters.get(name) ?? []) if (waiter.position <= position) waiter.settle();
  }

  get waiting(): readonly string[] {
    return [...this.waiters.keys()];
  }

  /** Resolves true once the position is reached, false when the time is up. */
  wait(name: string, position: bigint, timeoutMs: number): Promise<boolean> {
    if ((this.positions.get(name) ?? -1n) >= position) return Promise.resolve(true);
    return new Promise((resolve) => {
      const all = this.waiters.get(name) ?? new Set();
      this.waiters.set(name, all);
      const finish = (reached: boolean) => {
        clearTimeout(timer);
        all.delete(waiter);
        if (all.size === 0 && this.waiters.get(name) === all) this.waiters.delete(name);
        resolve(reached);
      };
      const waiter = { position, settle: () => finish(true) };
      const timer = setTimeout(finish, timeoutMs, false);
      all.add(waiter);
    });
  }
}
