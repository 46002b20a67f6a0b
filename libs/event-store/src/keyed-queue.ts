/**
 * Runs tasks that share a key one after the other, and all others side by side.
 * In one process this turns a race of commands for the same stream into a queue: no conflict, no retry, no lost budget.
 */
export class KeyedQueue {
  private readonly tails = new Map<string, Promise<unknown>>();

  async run<T>(keys: readonly string[], task: () => Promise<T>): Promise<T> {
    const before = keys.map((key) => this.tails.get(key));
    const done = Promise.all(before).then(task);
    const settled = done.then(nothing, nothing);
    for (const key of keys) this.tails.set(key, settled);
    try {
      return await done;
    } finally {
      for (const key of keys) if (this.tails.get(key) === settled) this.tails.delete(key);
    }
  }
}

const nothing = () => undefined;
