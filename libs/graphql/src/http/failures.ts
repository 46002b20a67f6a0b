import { Logger } from '@nestjs/common';
import { failureOf } from '@app/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mediaTypeOf, type MediaType } from './media-type';

const log = new Logger('Graphql');

/** Any answer of this route. */
export const sendJson = (reply: FastifyReply, status: number, type: MediaType, body: object): FastifyReply =>
  reply.status(status).type(`${type}; charset=utf-8`).header('vary', 'accept').send(JSON.stringify(body));

/** The answer to a request of which nothing could run: no key, a body that is no request, a failure. It needs no library of GraphQL. */
export const sendFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
  const { exception, unexpected } = failureOf(error);
  if (unexpected) log.error(JSON.stringify({ requestId: request.id, error: error instanceof Error ? error.stack : String(error) }));
  const { status, code, detail, facts } = exception.problem;
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  if (status === 405) reply.header('allow', 'POST');
  if (exception.retryAfter !== undefined) reply.header('retry-after', String(exception.retryAfter));
  const errors = [{ message: detail, extensions: { code, status, ...(facts !== undefined && { facts }) } }];
  return sendJson(reply, status, mediaTypeOf(request.headers.accept), { errors });
};
