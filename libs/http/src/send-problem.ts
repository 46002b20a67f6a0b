import type { FastifyReply } from 'fastify';
import { toJson } from './json/serialise';
import type { ProblemException } from './problem';

/** Sends a problem as `application/problem+json`, with the headers its status asks for. */
export const sendProblem = (reply: FastifyReply, { problem, retryAfter }: ProblemException): void => {
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  void reply.status(problem.status).type('application/problem+json; charset=utf-8').send(toJson(problem));
};
