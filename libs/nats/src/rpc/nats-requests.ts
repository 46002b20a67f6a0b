import { Logger } from '@nestjs/common';
import { RpcException, type NatsContext } from '@nestjs/microservices';
import type { MsgHdrs } from '@nats-io/transport-node';
import { newEventId } from '@app/event-store';
import {
  awaitClaim, failureOf, idempotentRequest, keyOf, orProblem, ProblemException, refusalOf, toJson, validation, type Access, type Answer, type AuthGuard, type Caller, type IdempotencyStore, type Reservation,
} from '@app/http';
import type { Outcome } from '@app/kernel';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { Unreadable } from './json-requests';

export type NatsRequest<Schema extends z.ZodType, Id extends string> = {
  readonly payload: unknown;
  readonly context: NatsContext;
  readonly schema: Schema;
  /** What has a place in the path of a route stands beside the fields of its body. */
  readonly ids?: readonly Id[];
  /** What the caller must hold. */
  readonly capability?: string;
  /** The token of the run that `runId` names is enough. */
  readonly runToken?: boolean;
  /** False: an idempotency key means nothing here, and no answer is kept. */
  readonly repeatable?: boolean;
};

type Accepted<Schema extends z.ZodType, Id extends string> = { readonly body: z.infer<Schema>; readonly caller: Caller; readonly ids: Readonly<Record<Id, string>> };
type Act<Schema extends z.ZodType, Id extends string, Data> = (accepted: Accepted<Schema, Id>) => Promise<Outcome<Data>>;

const LONGEST_ID = 200;

/**
 * Answers requests over NATS as the same requests are answered over HTTP: the key in the header `Authorization`, the site, the schema, the idempotency key,
 * and the problem body when something is wrong.
 */
export class NatsRequests {
  private readonly log = new Logger(NatsRequests.name);
  private readonly stopping = new AbortController();

  constructor(
    private readonly guard: Pick<AuthGuard, 'admit'>,
    private readonly idempotency: IdempotencyStore,
  ) {}

  async answer<Schema extends z.ZodType, Data, Id extends string = never>(request: NatsRequest<Schema, Id>, act: Act<Schema, Id, Data>): Promise<Answer<Data>> {
    try {
      return await this.answered(request, act);
    } catch (error) {
      if (error instanceof RpcException) throw error;
      const { exception, unexpected } = failureOf(error);
      if (unexpected) this.log.error(`${request.context.getSubject()}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      throw new RpcException(exception.problem);
    }
  }

  /** Requests that wait for another one under the same key wait no longer. */
  stop(): void {
    this.stopping.abort();
  }

  private async answered<Schema extends z.ZodType, Id extends string, Data>(wanted: NatsRequest<Schema, Id>, act: Act<Schema, Id, Data>): Promise<Answer<Data>> {
    const { payload, context, schema, ids: names = [], capability, runToken = false, repeatable = true } = wanted;
    const request = { id: newEventId(), method: 'NATS', url: context.getSubject(), headers: headersOf(context.getHeaders() as MsgHdrs | undefined), body: payload } as unknown as FastifyRequest;
    const caller = await this.guard.admit(request);
    if (payload instanceof Unreadable) throw payload.error;
    const { ids, rest } = apart(payload, names);
    const access: Access = { public: false, roles: [], capabilities: capability === undefined ? [] : [capability], runToken };
    const refusal = refusalOf(access, caller.principal, (ids as Readonly<Record<string, string>>)['runId']);
    if (refusal !== undefined) throw new ProblemException(403, 'FORBIDDEN', refusal, { kept: false });
    const wrong = names.filter((name) => typeof ids[name] !== 'string' || ids[name] === '' || ids[name].length > LONGEST_ID);
    if (wrong.length > 0) throw ProblemException.invalid(wrong.map((name) => ({ pointer: `/${name}`, detail: `Text of 1 to ${LONGEST_ID} characters` })));
    const body = (await validation().transform<unknown>(rest, { type: 'body', schema })) as z.infer<Schema>;
    const run = async () => orProblem(await act({ body, caller, ids }));
    const key = repeatable ? keyOf(request) : undefined;
    return key === undefined ? run() : this.once(request, caller, key, run);
  }

  /** A repeat under the same key gets the recorded answer. */
  private async once<Data>(request: FastifyRequest, caller: Caller, key: string, act: () => Promise<Answer<Data>>): Promise<Answer<Data>> {
    const { idempotency: store } = this;
    const claim = await awaitClaim(store, idempotentRequest(request, caller, key), this.stopping.signal);
    if (claim.state === 'other-request') throw new ProblemException(422, 'IDEMPOTENCY_MISMATCH', 'This idempotency key was used for another request; take a new key.', { kept: false });
    if (claim.state === 'answered') {
      const recorded = JSON.parse(claim.answer.body) as Answer<Data>;
      if (claim.answer.status >= 400) throw new RpcException(recorded);
      return recorded;
    }
    const { reservation } = claim;
    request.repeatableCommandId = reservation.commandId;
    const renewal = setInterval(() => void store.renew(reservation).catch(() => undefined), store.renewEveryMs);
    try {
      const given = await act();
      await this.record(reservation, 200, given);
      return given;
    } catch (error) {
      const { exception } = failureOf(error);
      if (exception.kept) await this.record(reservation, exception.problem.status, exception.problem);
      else await (reservation.repeated || exception.problem.status >= 500 ? store.release(reservation) : store.forget(reservation)).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(renewal);
    }
  }

  /** The effect has happened: an answer that could not be recorded is given all the same. */
  private async record(reservation: Reservation, status: number, body: unknown): Promise<void> {
    await this.idempotency
      .complete(reservation, { status, headers: { 'content-type': 'application/json' }, body: toJson(body) })
      .catch((error: unknown) => this.log.warn(`An idempotency key could not be updated: ${String(error)}`));
  }
}

/** The ids of a message, and what is left as its body. */
const apart = <Id extends string>(payload: unknown, names: readonly Id[]): { readonly ids: Readonly<Record<Id, string>>; readonly rest: unknown } => {
  if (names.length === 0 || typeof payload !== 'object' || payload === null) return { ids: {} as Record<Id, string>, rest: payload };
  const fields = Object.entries(payload as Record<string, unknown>);
  const isId = (name: string) => (names as readonly string[]).includes(name);
  return { ids: Object.fromEntries(fields.filter(([name]) => isId(name))) as Record<Id, string>, rest: Object.fromEntries(fields.filter(([name]) => !isId(name))) };
};

/** By lower-case name, as HTTP has them. */
const headersOf = (headers: MsgHdrs | undefined): Record<string, string> => Object.fromEntries((headers?.keys() ?? []).map((name) => [name.toLowerCase(), headers!.get(name)]));
