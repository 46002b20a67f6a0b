import type { HarnessError } from './error';

export type RetryPolicy = {
  /** Attempts in all, the first one included. */
  readonly attempts: number;
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** A server that asks for more patience than this gets none: the error is thrown, with `retryAfterMs`. */
  readonly maxRetryAfterMs: number;
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
};

const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });

/** Five attempts spread over about 1.5 s: enough for a restart of one process behind a balancer, short enough for a person who waits. */
export const DEFAULT_RETRY: RetryPolicy = {
  attempts: 5,
  firstDelayMs: 100,
  maxDelayMs: 5_000,
  maxRetryAfterMs: 30_000,
  wait,
  random: Math.random,
};

/** These 503 answers stand for the outcome of a call, so repeating it changes nothing. */
const FINAL_503 = new Set(['ENQUEUE_FAILED', 'LLM_NOT_CONFIGURED']);

export const isTransient = ({ status, code }: HarnessError): boolean =>
  status === 0 ? code === 'NETWORK' || code === 'TIMEOUT' : status === 429 || (status === 503 && !FINAL_503.has(code));

/** Exponential with half of it random, so that many clients do not come back in step. */
export const backoffMs = (policy: RetryPolicy, attempt: number): number =>
  Math.min(policy.maxDelayMs, policy.firstDelayMs * 2 ** (attempt - 1)) * (0.5 + policy.random() / 2);

/** Milliseconds to wait before the next attempt, or undefined when the error is final. `attempt` counts from 1. */
export const nextDelay = (policy: RetryPolicy, attempt: number, error: HarnessError): number | undefined => {
  if (attempt >= policy.attempts || !isTransient(error)) return undefined;
  const asked = error.retryAfterMs ?? 0;
  return asked > policy.maxRetryAfterMs ? undefined : Math.max(asked, backoffMs(policy, attempt));
};
