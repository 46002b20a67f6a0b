import { Logger, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { defer, lastValueFrom, type Observable } from 'rxjs';
import { toJson } from '../json/serialise';
import { logLine } from '../log-line';
import { ProblemException } from '../problem';
import { failureOf } from '../problem-of';
import { awaitClaim } from './await-claim';
import type { IdempotencyStore, RecordedAnswer, Reservation } from './idempotency-store';
import { idempotentRequest, keyOf } from './idempotent-request';
import { oneTimeFieldsOf, recordable } from './one-time-answer';

/** Headers that belong to an answer rather than to a connection. */
const KEPT_HEADERS = ['content-type', 'etag', 'location', 'retry-after'];

/** Runs a POST with an `Idempotency-Key` once and answers every repetition alike. The README draws the life of a key. */
export class IdempotencyInterceptor implements NestInterceptor {
  private readonly log = new Logger(IdempotencyInterceptor.name);
  private readonly reflector = new Reflector();

  constructor(
    private readonly store: IdempotencyStore | undefined,
    private readonly stopping: AbortSignal,
  ) {}

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    if (host.getType() !== 'http') return next.handle();
    const request = host.switchToHttp().getRequest<FastifyRequest>();
    if (request.method !== 'POST' || !request.caller) return next.handle();
    const key = keyOf(request);
    if (key === undefined) return next.handle();
    if (!this.store) throw new ProblemException(503, 'UNAVAILABLE', 'This server keeps no idempotency keys.');
    const { store } = this;
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const keyed = idempotentRequest(request, request.caller, key);
    const secrets = oneTimeFieldsOf(this.reflector, host.getHandler());
    return defer(async () => {
      const claim = await awaitClaim(store, keyed, leftOrStopping(reply, this.stopping));
      if (claim.state === 'answered') return replay(reply, claim.answer);
      if (claim.state === 'other-request')
        throw new ProblemException(422, 'IDEMPOTENCY_MISMATCH', 'This idempotency key was used for another request; take a new key.', { kept: false });
      request.repeatableCommandId = claim.reservation.commandId;
      return this.execute(store, claim.reservation, reply, next, secrets);
    });
  }

  private async execute(store: IdempotencyStore, reservation: Reservation, reply: FastifyReply, next: CallHandler, secrets: readonly string[]): Promise<unknown> {
    const renewal = setInterval(() => this.tolerate(store.renew(reservation)), store.renewEveryMs);
    try {
      const value = await lastValueFrom(next.handle(), { defaultValue: undefined });
      const given = answerIn(value, reply, secrets);
      if (!given) await this.tolerate(store.release(reservation));
      return given ? await this.recorded(store, reservation, reply, given, value) : value;
    } catch (error) {
      const { exception } = failureOf(error);
      if (exception.kept) {
        const given = answerFor(exception);
        const counts = await this.recorded(store, reservation, reply, given, undefined);
        if (counts !== undefined) return counts;
      } else await this.tolerate(reservation.repeated || exception.problem.status >= 500 ? store.release(reservation) : store.forget(reservation));
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** Records an answer; gives back `own` when it is the one that counts, else the body of the one recorded before it. */
  private async recorded(store: IdempotencyStore, reservation: Reservation, reply: FastifyReply, given: RecordedAnswer, own: unknown) {
    const counts = await this.tolerate(store.complete(reservation, given));
    return counts === undefined || counts === given ? own : replay(reply, counts);
  }

  /** The effect has happened: losing the record costs a second execution under the same command id, losing the answer would cost more. */
  private tolerate = <T>(step: Promise<T>): Promise<T | undefined> =>
    step.catch((error: unknown) => void this.log.warn(logLine({ message: 'An idempotency key could not be updated', error: String(error) })));
}

const leftOrStopping = (reply: FastifyReply, stopping: AbortSignal): AbortSignal => {
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  if (reply.raw.closed) left.abort();
  return AbortSignal.any([left.signal, stopping]);
};

const replay = (reply: FastifyReply, { status, headers, body }: RecordedAnswer): string | undefined => {
  reply.status(status).headers(headers).header('idempotent-replayed', 'true');
  return body === '' ? undefined : body;
};

const headersOf = (reply: FastifyReply) =>
  Object.fromEntries(KEPT_HEADERS.flatMap((name) => (reply.hasHeader(name) ? [[name, String(reply.getHeader(name))]] : [])));

/** What is kept of a handler's value: as it will be on the wire, less its secrets; undefined when it answered by itself or with a stream. */
const answerIn = (value: unknown, reply: FastifyReply, secrets: readonly string[]): RecordedAnswer | undefined => {
  if (reply.sent || reply.raw.headersSent) return undefined;
  if (value === undefined) return reply.statusCode === 204 ? { status: 204, headers: headersOf(reply), body: '' } : undefined;
  if (typeof value !== 'object' || value === null || 'pipe' in value || 'getStream' in value) return undefined;
  return { status: reply.statusCode, headers: { 'content-type': 'application/json; charset=utf-8', ...headersOf(reply) }, body: toJson(recordable(value, secrets)) };
};

const answerFor = ({ problem, retryAfter }: ProblemException): RecordedAnswer => ({
  status: problem.status,
  headers: { 'content-type': 'application/problem+json; charset=utf-8', ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) },
  body: toJson(problem),
});
