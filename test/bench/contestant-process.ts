import { fork } from 'node:child_process';
import { READY, type Answer, type ChildSettings } from './child.ts';

/** A contestant in a process of its own: no heap, no compiled code and no connection is shared with another one. */
export type ContestantProcess = { readonly pid: number; call<R>(name: string, input?: unknown): Promise<R>; close(): Promise<void> };

export type ContestantOptions = { readonly flags?: readonly string[]; readonly env?: Readonly<Record<string, string>> };

/** Resolves when the contestant is ready to be called. Calls to one that has ended reject. */
export const startContestant = async (
  file: string,
  settings: ChildSettings,
  { flags = [], env = {} }: ContestantOptions = {},
): Promise<ContestantProcess> => {
  const child = fork(file, [], {
    execArgv: [...flags],
    env: { ...process.env, ...env, BENCH_CHILD: JSON.stringify(settings) },
    // Standard output is the report's.
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const open = new Map<number, PromiseWithResolvers<unknown>>();
  const expect = (id: number) => {
    const waiting = Promise.withResolvers<unknown>();
    open.set(id, waiting);
    return waiting.promise;
  };
  const fail = (reason: string) => {
    for (const { reject } of open.values()) reject(new Error(`${file}: ${reason}`));
    open.clear();
  };
  const ended = new Promise<void>((resolve) =>
    child.once('exit', (code, signal) => {
      fail(`it ended with ${signal ?? `code ${code}`}`);
      resolve();
    }),
  );
  child.on('error', (error) => fail(error.message));
  child.on('message', ({ id, result, error }: Answer) => {
    const waiting = open.get(id);
    open.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(`${file}: ${error}`));
  });
  let calls: number = READY;
  await expect(READY);
  return {
    pid: child.pid!,
    call: <R>(call: string, input: unknown = null) => {
      const answer = expect(++calls) as Promise<R>;
      child.send({ id: calls, call, input }, (error) => error && fail(error.message));
      return answer;
    },
    close: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
};
