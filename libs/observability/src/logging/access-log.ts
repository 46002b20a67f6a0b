import type { FastifyInstance } from 'fastify';
import type { JsonLog } from './json-logger';

type Params = { readonly runId?: unknown; readonly id?: unknown };

/** Probes and scrapes come every few seconds; they are told at debug. */
const QUIET = /^\/(health\/|metrics$)/;

/**
 * One line per answer: ids, route, status and time. Never a body, a query, a header or an address: the route stands for it, and what was
 * asked and decided is in the log of events.
 */
export const logAccess = (server: FastifyInstance, lines: JsonLog): void => {
  server.addHook('onResponse', (request, { statusCode, elapsedTime }, done) => {
    const route = request.routeOptions.url;
    lines[QUIET.test(route ?? '') ? 'debug' : 'info']({
      requestId: request.id, correlationId: textOf(request.headers['x-correlation-id']), runId: runIdOf(request.params as Params | undefined),
      siteId: request.caller?.siteId, principalId: request.caller?.principal.id,
      method: request.method, route, status: statusCode, ms: Math.round(elapsedTime * 1_000) / 1_000,
    }, 'request');
    done();
  });
};

const textOf = (value: unknown) => (typeof value === 'string' && /^[!-~]{1,128}$/.test(value) ? value : undefined);

const RUN_ID = /^run_[0-9a-f]{1,64}$/;
const runIdOf = (params: Params | undefined) => [params?.runId, params?.id].find((value) => typeof value === 'string' && RUN_ID.test(value));
