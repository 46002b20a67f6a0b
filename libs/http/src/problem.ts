import type { ProblemCode, Rejection } from '@app/kernel';
import { statusOf, titleOf } from './problem-status';

/** RFC 9457. `type` and `code` are stable, `detail` is a sentence that helps, `facts` are safe to show. */
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly code: ProblemCode;
  readonly detail: string;
  readonly facts?: Readonly<Record<string, unknown>>;
};

export type ProblemOptions = {
  readonly facts?: Readonly<Record<string, unknown>> | undefined;
  /** Seconds until a repetition makes sense; sent as `Retry-After`. */
  readonly retryAfter?: number;
  /** False when nothing was done, so that the answer must not be kept under an idempotency key. Default: true. */
  readonly kept?: boolean;
};

/** A failure that has its problem body already. */
export class ProblemException extends Error {
  readonly problem: Problem;
  readonly retryAfter: number | undefined;
  readonly kept: boolean;

  constructor(status: number, code: ProblemCode, detail: string, { facts, retryAfter, kept = true }: ProblemOptions = {}) {
    super(`${code}: ${detail}`);
    this.name = 'ProblemException';
    this.problem = problemBody(status, code, detail, facts);
    this.retryAfter = retryAfter;
    this.kept = kept;
  }

  /**
   * A domain rejection. `UNAVAILABLE` and `OVERLOADED` promise that the rejected step stored nothing, so they are no final answer: the same
   * idempotency key may try again.
   */
  static of = ({ code, kind, detail, facts }: Rejection): ProblemException =>
    new ProblemException(statusOf(kind, code), code, detail, {
      facts,
      kept: code !== 'UNAVAILABLE' && code !== 'OVERLOADED',
      ...(kind === 'unavailable' && { retryAfter: retryAfterOf(facts) }),
    });

  static unauthenticated = (detail = 'Send a valid key as "Authorization: Bearer hk_…" or as X-Api-Key.'): ProblemException =>
    new ProblemException(401, 'UNAUTHENTICATED', detail, { kept: false });

  /** The same for a site that is somebody else's and for one that nobody has. */
  static crossSite = (detail = 'This key does not reach that site.', facts?: ProblemOptions['facts']): ProblemException =>
    new ProblemException(403, 'CROSS_SITE', detail, { facts, kept: false });

  /** Input that breaks a rule. Pointers are JSON pointers into the body, or `/name` of a parameter. */
  static invalid = (errors: readonly FieldError[], detail = 'The request does not fit its schema.'): ProblemException =>
    new ProblemException(422, 'VALIDATION_FAILED', detail, { facts: { errors }, kept: false });
}

export type FieldError = { readonly pointer: string; readonly detail: string };

export const problemBody = (status: number, code: ProblemCode, detail: string, facts?: Readonly<Record<string, unknown>>): Problem => ({
  type: `/problems/${code.toLowerCase().replaceAll('_', '-')}`,
  title: titleOf(code),
  status,
  code,
  detail,
  ...(facts !== undefined && { facts }),
});

const retryAfterOf = (facts: Rejection['facts']) => {
  const ms = facts?.['retryAfterMs'];
  return typeof ms === 'number' && ms > 0 ? Math.ceil(ms / 1000) : 1;
};
