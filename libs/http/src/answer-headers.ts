import type { FastifyReply, FastifyRequest } from 'fastify';
import { correlationIdOf } from './caller';

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/** On every answer, event streams included. A route that serves pages replaces the policy with its own. */
export const addAnswerHeaders = (request: FastifyRequest, reply: FastifyReply): void => {
  reply.headers({ ...HEADERS, 'x-request-id': request.id, 'x-correlation-id': correlationIdOf(request) });
};
