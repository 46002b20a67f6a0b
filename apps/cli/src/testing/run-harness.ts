import { PassThrough } from 'node:stream';
import { loopback, type Handler, type Loopback } from '@app/sdk/testing';
import { runProgram } from '../program';

export type Ran = { readonly code: number; readonly out: string; readonly err: string; readonly bars: string };
export type Surroundings = {
  readonly env?: Readonly<Record<string, string>>;
  readonly stop?: AbortController;
  /** Told what was printed, while the command still runs. */
  readonly onOut?: (soFar: string) => unknown;
};

/** Runs one command line in this process, and tells all it did to its surroundings. */
export const runHarness = async (
  args: readonly string[],
  { env = {}, stop = new AbortController(), onOut }: Surroundings = {},
): Promise<Ran> => {
  let out = '';
  let err = '';
  const bars = new PassThrough();
  const code = await runProgram(args, {
    out: (text) => {
      out += text;
      onOut?.(out);
    },
    err: (text) => void (err += text),
    bars,
    env,
    signal: stop.signal,
  });
  return { code, out, err, bars: String(bars.read() ?? '') };
};

let server: Loopback | undefined;

/** The server of the test: what it has seen. */
export const served = (): Loopback => {
  if (!server) throw new Error('No server was started');
  return server;
};

export const closeServer = async (): Promise<void> => {
  await server?.close();
  server = undefined;
};

export const serve = async (...script: readonly [Handler, ...Handler[]]): Promise<Loopback> => {
  await closeServer();
  return (server = await loopback(...script));
};

/** Runs a command line, split at spaces, as a person who works with a server that plays the script. */
export const against = async (script: readonly [Handler, ...Handler[]], line: string, surroundings: Surroundings = {}): Promise<Ran> => {
  const { url } = await serve(...script);
  return runHarness(line.split(' '), { env: { HARNESS_URL: url, HARNESS_KEY: 'hk_secret' }, ...surroundings });
};
