import type { Caller } from '@app/http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ExecutionResult } from 'graphql';
import type { Engine } from '../engine';
import { formatted } from '../problems';
import { sendJson } from './failures';
import { paramsIn, paramsInUrl } from './graphql-params';
import { GRAPHQL_TYPE, mediaTypeOf } from './media-type';

/** GraphQL over HTTP: requests in, answers in the media type that the client likes. */
export class HttpAnswers {
  constructor(private readonly engine: Engine) {}

  /**
   * Over `application/graphql-response+json` a document that was refused is 400; over plain JSON it is 200, because there a 400 may come from anything in
   * between. `data` means that something ran: 200.
   */
  answer = async (request: FastifyRequest, reply: FastifyReply, caller: Caller): Promise<FastifyReply> => {
    const byPost = request.method === 'POST';
    const params = byPost ? paramsIn(request.body) : paramsInUrl(request.query);
    const result = await this.engine.run(params, this.engine.session(caller, request), { mutations: byPost });
    const type = mediaTypeOf(request.headers.accept);
    return sendJson(reply, result.data === undefined && type === GRAPHQL_TYPE ? 400 : 200, type, bodyOf(result));
  };
}

const bodyOf = ({ data, errors = [] }: ExecutionResult) => ({ ...(errors.length > 0 && { errors: errors.map(formatted) }), ...(data !== undefined && { data }) });
