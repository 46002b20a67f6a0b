import { fork } from 'node:child_process';
import type { Answer, ChildSettings } from './child.ts';

/** A contestant in a process of its own: no heap, no compiled code and no connection is shared with another one. */
export type ContestantProcess = { call<R>(name: string, input?: unknown): Promise<R>; close(): Promise<void> };

export const startContestant = (file: string, settings: ChildSettings, flags: readonly string[] = [], env: Readonly<Record<string, string>> = {}): ContestantProcess => {
  const child = fork(file, [], { execArgv: [...flags], env: { ...process.env, ...env, BENCH_CHILD: JSON.stringify(settings) } });
  const open = new Map<number, PromiseWithResolvers<unknown>>();
  let calls = 0;
  const ended = new Promise<void>((resolve) =>
    child.once('exit', (code) => {
      for (const { reject } of open.values()) reject(new Error(`${file} ended with code ${code}`));
      resolve();
    }),
  );
  child.on('message', ({ id, result, error }: Answer) => {
    const waiting = open.get(id)!;
    open.delete(id);
    if (error === undefined) waiting.resolve(result);
    else waiting.reject(new Error(`${file}: ${error}`));
  });
  return {
    call: <R>(call: string, input: unknown = null) => {
      const waiting = Promise.withResolvers<unknown>();
      open.set(++calls, waiting);
      child.send({ id: calls, call, input });
      return waiting.promise as Promise<R>;
    },
    close: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
};
