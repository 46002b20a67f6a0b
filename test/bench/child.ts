import type { Connection } from './cluster.ts';

/** What the parent tells a child when it starts it. */
export type ChildSettings = { readonly connection: Connection; readonly dist: string };

export type Request = { readonly id: number; readonly call: string; readonly input: unknown };
export type Answer = { readonly id: number; readonly result?: unknown; readonly error?: string };
/** The id of the first answer, which nobody asked for: the child is ready. */
export const READY = 0;

export const childSettings = (): ChildSettings => JSON.parse(process.env['BENCH_CHILD'] ?? '{}') as ChildSettings;

/** The child's side: answers the parent's calls one after the other. `close` ends the process the ordinary way, so that a CPU profile is written. */
export const serve = (handlers: Readonly<Record<string, (input: never) => unknown>>): void => {
  const answer = (message: Answer) => process.send!(message);
  process.on('message', ({ id, call, input }: Request) => {
    const work = Promise.resolve().then(() => handlers[call]!(input as never));
    void work.then(
      (result) => answer({ id, result }),
      (error: unknown) => answer({ id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
    );
  });
  process.once('disconnect', () => process.exit());
  answer({ id: READY });
};
