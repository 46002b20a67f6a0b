import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { newEventId } from '@app/event-store';
import type { Actor, Context, Principal } from '@app/kernel';
import type { FastifyRequest } from 'fastify';
import type { Clock } from './clock';
import { wellFormedId, wellFormedTraceparent } from './header-text';

import { ProblemException } from './problem';

declare module 'fastify' {
  interface FastifyRequest {
    caller?: Caller;
    /** Set once an idempotency key has been reserved: the id that every execution under this key shares. */
    repeatableCommandId?: string;
  }
}

/** Who sends this request, on which site. */
export type Caller = {
  readonly principal: Principal;
  readonly siteId: string;
  /**
   * The context for one command. The log stores one result per repeatable command id, so a handler that sends several commands for one
   * request names each of them: `context('open')`, `context('notify')`. The same name always gives the same command id.
   */
  context(step?: string): Context;
};

const actorOf = ({ kind, id, agentRole, userId }: Principal): Actor => ({ kind, id, ...(agentRole !== undefined && { role: agentRole }), ...(userId !== undefined && { userId }) });

/** The correlation id of a request: the client's own when it is well formed, else the request's id. */
export const correlationIdOf = (request: Pick<FastifyRequest, 'headers' | 'id'>): string =>
  wellFormedId(request.headers['x-correlation-id']) ?? request.id;

export const callerFrom = (request: FastifyRequest, principal: Principal, siteId: string, clock: Clock): Caller => {
  const fresh = newEventId();
  const traceparent = wellFormedTraceparent(request.headers['traceparent'] as string | undefined);
  return {
    principal,
    siteId,
    context: (step) => {
      const repeatable = request.repeatableCommandId;
      const commandId = repeatable ?? fresh;
      return {
        actor: actorOf(principal),
        siteId,
        now: clock.now(),
        correlationId: correlationIdOf(request),
        commandId: step === undefined ? commandId : `${commandId}:${step}`,
        ...(repeatable !== undefined && { repeatable: true }),
        ...(traceparent !== undefined && { traceparent }),
      };
    },
  };
};

/** The caller that the door put on a request, whatever transport carries it; GraphQL hands its context over as the third argument. */
export const callerOf = (host: ExecutionContext): Caller | undefined =>
  (host.getType() === 'http' ? host.switchToHttp().getRequest<FastifyRequest>() : host.getArgByIndex<{ caller?: Caller } | undefined>(2))?.caller;

/** Hands the caller to a controller method. On a public route there is none: 401. */
export const Caller = createParamDecorator((_: unknown, host: ExecutionContext): Caller => {
  const caller = callerOf(host);
  if (!caller) throw ProblemException.unauthenticated();
  return caller;
});
