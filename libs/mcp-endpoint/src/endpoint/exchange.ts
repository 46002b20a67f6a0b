import { toWebRequest } from '@modelcontextprotocol/node';
import type { AuthInfo, McpHttpHandler } from '@modelcontextprotocol/server';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Hands a request whose body was read to the handler, and its answer back through Fastify, so that headers and access lines are those of every answer. */
export const exchange = async (handler: McpHttpHandler, request: FastifyRequest, reply: FastifyReply, stopping: AbortSignal, authInfo?: AuthInfo): Promise<void> => {
  const given = await toWebRequest(request.raw as Parameters<typeof toWebRequest>[0], request.body, { signal: leaving(reply, stopping) });
  const answer = await handler.fetch(given, { parsedBody: request.body, ...(authInfo && { authInfo }) });
  await reply.send(answer);
};

/** Aborts when the client has left or the server stops. It lets go of the server's own signal, which lives for as long as the server. */
const leaving = (reply: FastifyReply, stopping: AbortSignal): AbortSignal => {
  const left = new AbortController();
  const leave = () => left.abort();
  stopping.addEventListener('abort', leave, { once: true });
  reply.raw.once('close', () => {
    stopping.removeEventListener('abort', leave);
    leave();
  });
  if (stopping.aborted || reply.raw.closed) leave();
  return left.signal;
};
