import { etagOf, orProblem, type Answer } from '@app/http';
import type { Outcome } from '@app/kernel';
import type { FastifyReply } from 'fastify';

/** One record as the body of an answer, and its version as the ETag. */
export const versionedAnswer = <Data extends { readonly version: number }>(outcome: Outcome<Data>, reply: FastifyReply): Answer<Data> => {
  const answer = orProblem(outcome);
  void reply.header('etag', etagOf(answer.data.version));
  return answer;
};
