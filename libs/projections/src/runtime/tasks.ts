import type { Generation } from './generations';

type Task = { readonly of: Generation; readonly abort: AbortController; readonly done: Promise<void> };

export const keyOf = ({ name, generation }: Pick<Generation, 'name' | 'generation'>) => `${name}@${generation}`;

/** What runs in this process: at most one task per generation, each with its own end. */
export class Tasks {
  private readonly running = new Map<string, Task>();

  has = (of: Generation) => this.running.has(keyOf(of));

  /** `work` must not reject: it reports its end by itself. */
  start(of: Generation, work: (signal: AbortSignal) => Promise<void>): void {
    const abort = new AbortController();
    const done = work(abort.signal).finally(() => {
      if (this.running.get(keyOf(of))?.abort === abort) this.running.delete(keyOf(of));
    });
    this.running.set(keyOf(of), { of, abort, done });
  }

  /** Ends every task that is not exactly one of these any more: led by another, paused, swapped, or under a new fence. */
  async keepOnly(wanted: readonly Generation[]): Promise<void> {
    const stay = new Map(wanted.map((each) => [keyOf(each), each]));
    const over = [...this.running.values()].filter(({ of }) => {
      const now = stay.get(keyOf(of));
      return now?.fence !== of.fence || now.role !== of.role;
    });
    for (const { abort } of over) abort.abort();
    await Promise.all(over.map(({ done }) => done));
  }
}
