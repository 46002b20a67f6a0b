import { ProblemException } from '../problem';
import type { Claim, IdempotencyStore, IdempotentRequest } from './idempotency-store';

/** The answer of another process is seen by asking again: soon at first, then four times a second. In one process it is seen at once. */
const FIRST_MS = 20;
const LONGEST_MS = 250;

/** Claims a key; while another attempt is executing, waits for its answer or for its lease to run out. Gives up when the signal aborts. */
export const awaitClaim = async (
  store: IdempotencyStore,
  request: IdempotentRequest,
  signal: AbortSignal,
): Promise<Exclude<Claim, { state: 'in-progress' }>> => {
  for (let ms = FIRST_MS; ; ms = Math.min(ms * 2, LONGEST_MS)) {
    const claim = await store.claim(request);
    if (claim.state !== 'in-progress') return claim;
    await store.changed(request.scope, ms, signal);
    if (signal.aborted)
      throw new ProblemException(503, 'UNAVAILABLE', 'The first request with this key is still running.', { retryAfter: 1, kept: false });
  }
};
