import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { JsonLog } from './json-logger';

type Params = { readonly runId?: unknown; readonly id?: unknown };
type Answer = { readonly data?: { readonly runId?: unknown } | null } | null | undefined;

/** Probes and scrapes come every few seconds; they are told at debug. */
const QUIET = /^\/(health\/|metrics$)/;

/**
 * One line per answer: ids, route, status and time. Never a body, a query, a header or an address: the route stands for it, and what was
 * asked and decided is in the log of events.
 */
export const logAccess = (server: FastifyInstance, lines: JsonLog): void => {
  /** Runs that are no part of the route because the request made them. */
  const answered = new WeakMap<FastifyRequest, string>();
  server.addHook('preSerialization', (request, _reply, payload: Answer, done) => {
    const runId = runIdIn(payload?.data?.runId);
    if (runId !== undefined) answered.set(request, runId);
    done(null, payload);
  });
  server.addHook('onResponse', (request, { statusCode, elapsedTime }, done) => {
    const route = request.routeOptions.url;
    const params = request.params as Params | undefined;
    lines[QUIET.test(route ?? '') ? 'debug' : 'info']({
      requestId: request.id, correlationId: textOf(request.headers['x-correlation-id']), runId: runIdIn(params?.runId, params?.id) ?? answered.get(request),
      siteId: request.caller?.siteId, principalId: request.caller?.principal.id,
      method: request.method, route, status: statusCode, ms: Math.round(elapsedTime * 1_000) / 1_000,
    }, 'request');
    done();
  });
};

const textOf = (value: unknown) => (typeof value === 'string' && /^[!-~]{1,128}$/.test(value) ? value : undefined);

const RUN_ID = /^run_[0-9a-f]{1,64}$/;
const runIdIn = (...values: readonly unknown[]) => values.find((value): value is string => typeof value === 'string' && RUN_ID.test(value));
