import type { FastifyReply } from 'fastify';
import { toJson } from './json/serialise';
import type { ProblemException } from './problem';

/** Clients of the classic copilot know errors in its own form only. */
const isLegacy = (url: string) => /^\/api\/v1\/ai(\/|$|\?)/.test(url);

/** Sends a problem as `application/problem+json`, with the headers its status asks for. */
export const sendProblem = (reply: FastifyReply, { problem, retryAfter }: ProblemException): void => {
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer');
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter));
  if (isLegacy(reply.request.url)) {
    const errors = [{ code: problem.code, message: problem.detail }];
    void reply.status(problem.status === 422 ? 400 : problem.status).type('application/json; charset=utf-8').send(toJson({ errors }));
    return;
  }
  void reply.status(problem.status).type('application/problem+json; charset=utf-8').send(toJson(problem));
};
