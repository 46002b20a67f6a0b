import { HarnessError } from './connection/error';
import { path } from './connection/path';
import { backoffMs, DEFAULT_RETRY } from './connection/retry';
import type { Transport } from './connection/transport';
import { isAboutTheResult, outcomeOf, untold, type Outcome } from './outcome';
import { Run } from './run';

/** A call that this worker holds, for as long as it says that it is alive. */
export type WorkerCall = {
  readonly runId: string;
  readonly callId: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Aborts when the lease is lost: what comes of the work then counts no more, so stop. */
  readonly signal: AbortSignal;
  /** The run that the call belongs to, by a token that opens nothing else and lasts a quarter of an hour. */
  readonly run: Run;
};

export type WorkerOptions = {
  /** Tools of kind `worker`; the key needs `worker:take` and all that each of them requires. */
  readonly tools: readonly string[];
  /** Resolves with the result, a JSON value; rejects with a sentence for the agent. */
  readonly handle: (call: WorkerCall) => unknown;
  /** How many calls at once. Default 1. */
  readonly concurrency?: number | undefined;
  /** How long one question for work may stay open, at most 30 000 ms. Default 20 000. */
  readonly waitMs?: number | undefined;
  /** Ends the worker: it takes no more, finishes what it holds, and resolves. */
  readonly signal?: AbortSignal | undefined;
  /** Told of calls whose outcome could not be handed in. The server offers them again, or asks a person. */
  readonly onLost?: ((call: WorkerCall, error: HarnessError) => void) | undefined;
};

type Taken = Omit<WorkerCall, 'arguments' | 'signal' | 'run'> & {
  readonly leaseId: string;
  readonly leaseMs: number;
  /** Null when the answer that held them was lost on the way. */
  readonly arguments: WorkerCall['arguments'] | null;
  readonly token?: string | null;
};

const SOON_MS = 100;
const FAREWELL_MS = 2_000;

/** A refusal that will not change by asking again, such as a capability that is missing. */
const isLasting = ({ status, code }: HarnessError): boolean => code === 'INVALID_ARGUMENT' || (status >= 400 && status < 500 && status !== 429);

/** Rejects only when the server refuses, and then only after all calls in hand are finished. */
export const work = async (transport: Transport, options: WorkerOptions): Promise<void> => {
  const failed = new AbortController();
  const stop = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal;
  const hands = Array.from({ length: options.concurrency ?? 1 }, () => takeOneByOne(transport, options, stop).catch((error: unknown) => failed.abort(error)));
  await Promise.all(hands);
  failed.signal.throwIfAborted();
};

const takeOneByOne = async (transport: Transport, options: WorkerOptions, stop: AbortSignal): Promise<void> => {
  const { retry } = transport;
  const { tools, waitMs = 20_000 } = options;
  const poll = async (idempotencyKey: string, signal: AbortSignal) =>
    (await transport.write<Taken | undefined>('POST', '/agent/worker/poll', { tools, waitMs }, { idempotencyKey, signal })).data;
  let fruitless = 0;
  while (!stop.aborted) {
    const asked = performance.now();
    const key = crypto.randomUUID();
    try {
      const taken = await poll(key, stop);
      if (taken) await carryOut(transport, options, taken);
      // A server that is about to stop answers at once, with nothing.
      fruitless = taken || performance.now() - asked >= Math.max(waitMs, SOON_MS) / 2 ? 0 : fruitless + 1;
    } catch (error) {
      if (stop.aborted) return giveUp(transport, () => poll(key, AbortSignal.timeout(FAREWELL_MS)));
      if (!(error instanceof HarnessError) || isLasting(error)) throw error;
      fruitless += 1;
    }
    if (fruitless > 0) await retry.wait(backoffMs(retry, fruitless), stop).catch(() => undefined);
  }
};

/** A call may have been on its way when the worker was stopped. Asked again under the same key, the server tells, and the call need not be in doubt. */
const giveUp = async (transport: Transport, askAgain: () => Promise<Taken | undefined>): Promise<void> => {
  try {
    const taken = await askAgain();
    if (taken) await settle(transport, taken.leaseId, { status: 'failed', error: 'The worker was stopped before it began this call.' }, AbortSignal.timeout(FAREWELL_MS));
  } catch {
    // Its lease ends by itself.
  }
};

const carryOut = async (transport: Transport, { handle, onLost }: WorkerOptions, { leaseId, leaseMs, token, arguments: args, ...taken }: Taken): Promise<void> => {
  const lost = new AbortController();
  const settled = new AbortController();
  const run = new Run(token ? transport.withKey(token) : transport, taken.runId);
  const call: WorkerCall = { ...taken, arguments: args ?? {}, signal: lost.signal, run };
  const kept = keepLease(transport, leaseId, leaseMs, settled.signal).catch((error: unknown) => lost.abort(error));
  try {
    const outcome = await outcomeOf(() => {
      if (args === null) throw new Error('The arguments of this call were lost on their way to the worker; it was not started.');
      return handle(call);
    });
    lost.signal.throwIfAborted();
    await settle(transport, leaseId, outcome, lost.signal);
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    onLost?.(call, error);
  } finally {
    settled.abort();
    await kept;
  }
};

const settle = async (transport: Transport, leaseId: string, outcome: Outcome, signal: AbortSignal): Promise<void> => {
  const tell = (told: Outcome) =>
    told.status === 'executed'
      ? transport.write('POST', path`/agent/worker/calls/${leaseId}/complete`, { result: told.result }, { signal })
      : transport.write('POST', path`/agent/worker/calls/${leaseId}/fail`, { error: told.error }, { signal });
  try {
    await tell(outcome);
  } catch (error) {
    if (outcome.status !== 'executed' || !(error instanceof HarnessError) || !isAboutTheResult(error)) throw error;
    await tell(untold(error));
  }
};

/** Three signs of life a lease, so that two may get lost. Rejects when the lease is lost, or its time passed without an answer. */
const keepLease = async (transport: Transport, leaseId: string, leaseMs: number, settled: AbortSignal): Promise<void> => {
  const pause = () => DEFAULT_RETRY.wait(leaseMs / 3, settled).catch(() => undefined);
  let until = performance.now() + leaseMs;
  for (await pause(); !settled.aborted; await pause()) {
    const asked = performance.now();
    const late = AbortSignal.timeout(Math.max(0, Math.ceil(until - asked)));
    try {
      await transport.write('POST', path`/agent/worker/calls/${leaseId}/heartbeat`, undefined, { signal: AbortSignal.any([settled, late]) });
      until = asked + leaseMs;
    } catch (error) {
      if (settled.aborted) return;
      if (error instanceof HarnessError && !late.aborted && !isLasting(error)) continue;
      throw error instanceof HarnessError ? error : new HarnessError({ status: 0, code: 'TIMEOUT', detail: `No sign of life reached the server within ${leaseMs} ms`, cause: error });
    }
  }
};
