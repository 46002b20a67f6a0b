import { HttpException } from '@nestjs/common';
import { StoreUnavailable } from '@app/event-store';
import { InvalidCursor, InvalidListRequest, ReadModelBehind, ReadModelRebuilding } from '@app/projections';
import { codeOfStatus, titleOf } from './problem-status';
import { ProblemException } from './problem';
import { isConnectionLoss } from './connection-loss';

/** A problem ready to be sent. `unexpected` failures say nothing about their cause and belong in the log. */
export type Failure = { readonly exception: ProblemException; readonly unexpected: boolean };

const DETAILS: Readonly<Record<number, string>> = {
  400: 'The request cannot be read.',
  404: 'There is no such route.',
  413: 'The body is larger than this server takes.',
  415: 'Send the body as application/json.',
};

/** Fastify's own refusals (body too large, wrong media type, broken URL) carry `statusCode` and are no HttpException. */
const frameworkStatus = (error: unknown): number | undefined => {
  const status = error instanceof HttpException ? error.getStatus() : (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
};

/** Turns whatever was thrown into the one form that leaves the server. Neither message nor stack of an unknown failure gets out. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof ProblemException) return { exception: error, unexpected: false };
  if (error instanceof ReadModelBehind) {
    const facts = { position: String(error.reached) };
    const exception = new ProblemException(503, 'UNAVAILABLE', 'The read model has not reached that position yet.', { facts, retryAfter: 1, kept: false });
    return { exception, unexpected: false };
  }
  if (error instanceof InvalidCursor) return { exception: ProblemException.invalid([{ pointer: '/cursor', detail: 'nextCursor of the page before' }]), unexpected: false };
  if (error instanceof InvalidListRequest) return { exception: ProblemException.invalid([{ pointer: '', detail: error.message }]), unexpected: false };
  if (error instanceof ReadModelRebuilding) {
    return { exception: new ProblemException(503, 'UNAVAILABLE', 'The read model is being rebuilt.', { retryAfter: 1, kept: false }), unexpected: false };
  }
  if (error instanceof StoreUnavailable || isConnectionLoss(error)) {
    const exception = new ProblemException(503, 'UNAVAILABLE', 'The database cannot be reached at the moment.', { retryAfter: 1, kept: false });
    return { exception, unexpected: true };
  }
  const status = frameworkStatus(error);
  if (status === undefined) return { exception: new ProblemException(503, 'UNAVAILABLE', 'The request failed; the reason is in the log.'), unexpected: true };
  const code = codeOfStatus(status);
  return { exception: new ProblemException(status, code, DETAILS[status] ?? `${titleOf(code)}.`, { kept: false }), unexpected: false };
};
