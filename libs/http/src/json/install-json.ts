import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify';
import { TAKES_LINES } from '../ndjson';
import { pointerTo } from '../pointer';
import { ProblemException } from '../problem';
import { textFault } from './faults';
import { parseJson } from './parse-json';
import { toJson } from './serialise';

const JSON_TYPES = /^application\/(?:[a-z0-9!#$&^_.+-]+\+)?json\s*(?:;|$)/i;

const LINE_TYPES = /^application\/x-ndjson\s*(?:;|$)/i;

/** JSON is the only body this server reads by itself, and JSON lines are left to the routes that take them; anything else is 415. Bigint leaves as text. */
export const installJson = (server: FastifyInstance): void => {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(JSON_TYPES, { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as Buffer));
    } catch (error) {
      done(error as Error);
    }
  });
  server.addContentTypeParser(LINE_TYPES, (request, body, done) => {
    const takesLines = TAKES_LINES in (request.routeOptions.config as object);
    done(takesLines ? null : new errorCodes.FST_ERR_CTP_INVALID_MEDIA_TYPE(request.headers['content-type']), body);
  });
  server.setReplySerializer(toJson);
  server.addHook('preValidation', refuseBrokenText);
};

/** Query and path are text from outside too. */
const refuseBrokenText = (request: FastifyRequest, _reply: unknown, done: (error?: Error) => void) => {
  for (const part of [request.params, request.query]) {
    for (const [name, value] of Object.entries((part ?? {}) as Record<string, string | string[]>)) {
      const wrong = name === '__proto__' ? 'A reserved name' : [name, value].flat().map(textFault).find(Boolean);
      if (wrong !== undefined) return done(ProblemException.invalid([{ pointer: pointerTo([name.toWellFormed()]), detail: wrong }]));
    }
  }
  done();
};
