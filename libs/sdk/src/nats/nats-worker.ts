import type { NatsConnection } from '@nats-io/transport-node';
import { TOOL_QUEUE, toolSubject } from '@app/nats/contract';
import { HarnessError } from '../connection/error';
import { backoffMs, DEFAULT_RETRY } from '../connection/retry';
import { isAboutTheResult, outcomeOf, untold, type Outcome } from '../outcome';
import type { WorkerCall, WorkerOptions } from '../worker';
import { ask, type Asker } from './ask';
import { pause } from './pause';

/** As for a worker that polls, but that the run is reached by its token alone. */
export type NatsWorkerCall = Omit<WorkerCall, 'run'> & {
  /** Of the run that the call belongs to; it shows that run and opens nothing else, for a quarter of an hour. */
  readonly token: string;
};

export type NatsWorkerOptions = Pick<WorkerOptions, 'tools' | 'concurrency' | 'signal'> & {
  /** Needs `worker:take` and all that each of the tools requires. */
  readonly key: string;
  readonly siteId: string;
  /** Resolves with the result, a JSON value; rejects with a sentence for the agent. */
  readonly handle: (call: NatsWorkerCall) => unknown;
  /** Told of calls whose outcome could not be handed in. The server offers them again, or asks a person. */
  readonly onLost?: ((call: NatsWorkerCall, error: HarnessError) => void) | undefined;
};

type Taken = Omit<NatsWorkerCall, 'signal'> & { readonly leaseId: string; readonly leaseMs: number };

/** An offer may have come while nobody listened. */
const LOOK_EVERY_MS = 5_000;
const ANSWER_MS = 10_000;

const isLasting = ({ status, code }: HarnessError): boolean => code === 'INVALID_ARGUMENT' || (status >= 400 && status < 500 && status !== 429);

/**
 * Carries out calls of tools of kind `worker` that are offered over NATS. Each worker of a tool, in whatever process, gets some of its calls, and no call is
 * carried out by two. Rejects only when the server refuses, and then only after all calls in hand are finished.
 */
export const natsWorker = async (connection: NatsConnection, options: NatsWorkerOptions): Promise<void> => {
  const failed = new AbortController();
  const stop = options.signal ? AbortSignal.any([options.signal, failed.signal]) : failed.signal;
  const idle: (() => void)[] = [];
  const subscriptions = options.tools.map((tool) =>
    connection.subscribe(toolSubject(options.siteId, tool), {
      queue: TOOL_QUEUE,
      callback: (error, message) => {
        if (error) return failed.abort(new HarnessError({ status: 0, code: 'NETWORK', detail: error.message, cause: error }));
        const hand = idle.shift();
        // Whoever has its hands full says so, and the call is offered to the next one.
        message.respond(JSON.stringify({ taking: hand !== undefined }));
        hand?.();
      },
    }),
  );
  const offered = async (): Promise<void> => {
    const woken = new AbortController();
    const wake = () => woken.abort();
    idle.push(wake);
    await pause(LOOK_EVERY_MS, AbortSignal.any([woken.signal, stop]));
    const at = idle.indexOf(wake);
    if (at >= 0) idle.splice(at, 1);
  };
  const asker: Asker = { connection, key: options.key, siteId: options.siteId };
  const hands = Array.from({ length: options.concurrency ?? 1 }, () => takeOneByOne(asker, options, offered, stop).catch((error: unknown) => failed.abort(error)));
  await Promise.all(hands);
  for (const subscription of subscriptions) if (!subscription.isClosed()) subscription.unsubscribe();
  failed.signal.throwIfAborted();
};

const takeOneByOne = async (asker: Asker, options: NatsWorkerOptions, offered: () => Promise<void>, stop: AbortSignal): Promise<void> => {
  for (let failures = 0; !stop.aborted; ) {
    try {
      const { data: taken } = await ask<{ readonly data: Taken | null }>(asker, 'takeCall', { tools: options.tools }, { timeoutMs: ANSWER_MS });
      failures = 0;
      if (!taken) await offered();
      else if (stop.aborted) await settle(asker, taken.leaseId, { status: 'failed', error: 'The worker was stopped before it began this call.' }).catch(() => undefined);
      else await carryOut(asker, options, taken);
    } catch (error) {
      if (stop.aborted) return;
      if (!(error instanceof HarnessError) || isLasting(error) || asker.connection.isClosed()) throw error;
      await pause(backoffMs(DEFAULT_RETRY, ++failures), stop);
    }
  }
};

const carryOut = async (asker: Asker, { handle, onLost }: NatsWorkerOptions, { leaseId, leaseMs, ...taken }: Taken): Promise<void> => {
  const lost = new AbortController();
  const settled = new AbortController();
  const call: NatsWorkerCall = { ...taken, signal: lost.signal };
  const kept = keepLease(asker, leaseId, leaseMs, settled.signal).catch((error: unknown) => lost.abort(error));
  try {
    const outcome = await outcomeOf(() => handle(call));
    lost.signal.throwIfAborted();
    await settle(asker, leaseId, outcome);
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    onLost?.(call, error);
  } finally {
    settled.abort();
    await kept;
  }
};

/** Repeated under one key: the broker may lose the answer after the server has taken the outcome. */
const settle = async (asker: Asker, leaseId: string, outcome: Outcome): Promise<void> => {
  const idempotencyKey = crypto.randomUUID();
  for (let attempt = 1; ; attempt++) {
    try {
      if (outcome.status === 'executed') await ask(asker, 'completeCall', { leaseId, result: outcome.result }, { idempotencyKey, timeoutMs: ANSWER_MS });
      else await ask(asker, 'failCall', { leaseId, error: outcome.error }, { idempotencyKey, timeoutMs: ANSWER_MS });
      return;
    } catch (error) {
      if (!(error instanceof HarnessError)) throw error;
      if (outcome.status === 'executed' && isAboutTheResult(error)) return settle(asker, leaseId, untold(error));
      if (isLasting(error) || attempt >= DEFAULT_RETRY.attempts) throw error;
      await pause(backoffMs(DEFAULT_RETRY, attempt));
    }
  }
};

/** Three signs of life a lease, so that two may get lost. Rejects when the lease is lost, or its time passed without an answer. */
const keepLease = async (asker: Asker, leaseId: string, leaseMs: number, settled: AbortSignal): Promise<void> => {
  let until = performance.now() + leaseMs;
  for (await pause(leaseMs / 3, settled); !settled.aborted; await pause(leaseMs / 3, settled)) {
    const asked = performance.now();
    const left = Math.ceil(until - asked);
    if (left <= 0) throw new HarnessError({ status: 0, code: 'TIMEOUT', detail: `No sign of life reached the server within ${leaseMs} ms` });
    try {
      await ask(asker, 'renewLease', { leaseId }, { timeoutMs: left });
      until = asked + leaseMs;
    } catch (error) {
      if (settled.aborted) return;
      if (!(error instanceof HarnessError) || isLasting(error)) throw error;
    }
  }
};
