import type { Stretch } from '../redecide/replay-walk';
import type { ReplayMismatch } from '../redecide/mismatch.view';
import type { ReplayStep } from './verify-decisions.query';

const MOST = 100;

/** The steps of a verification from the stretches of a walk. A walk that was aborted leaves no verdict. */
export async function* verdictOn(walk: AsyncIterable<Stretch>, signal?: AbortSignal): AsyncGenerator<ReplayStep, void, undefined> {
  let decisions = 0;
  let differing = 0;
  let forgotten = 0;
  let position = 0n;
  const mismatches: ReplayMismatch[] = [];
  for await (const stretch of walk) {
    decisions += stretch.decisions.length;
    differing += stretch.mismatches.length;
    forgotten += stretch.forgotten;
    mismatches.push(...stretch.mismatches.slice(0, MOST - mismatches.length));
    position = stretch.position;
    yield { step: 'progress', data: { position: String(position), head: String(stretch.head), decisions } };
  }
  if (!signal?.aborted) yield { step: 'verdict', data: { ok: differing === 0, decisions, differing, ...(forgotten > 0 && { forgotten }), mismatches, position: String(position) } };
}
