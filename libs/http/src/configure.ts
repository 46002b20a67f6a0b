import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { newEventId } from '@app/event-store';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { addAnswerHeaders } from './answer-headers';
import { AuthGuard } from './auth.guard';
import { Clock } from './clock';
import { allowOrigins } from './cross-origin';
import { Draining } from './draining';
import { wellFormedId } from './header-text';
import type { IdempotencyStore } from './idempotency/idempotency-store';
import { IdempotencyInterceptor } from './idempotency/idempotency.interceptor';
import { installJson } from './json/install-json';
import { toJson } from './json/serialise';
import type { ReferenceTexts } from './openapi/operation-texts';
import { serveReference } from './openapi/serve-reference';
import { Authenticator } from './principal';
import { problemBody } from './problem';
import { failureOf } from './problem-of';
import { ProblemFilter } from './problem.filter';
import { sendProblem } from './send-problem';
import { closeSilentConnections } from './silent-connections';
import { validation } from './validation';

export type FastifyAdapterOptions = {
  /** Largest body in bytes. Default 1 MiB. */
  readonly bodyLimit?: number;
};

export type HttpOptions = {
  /** Without it every `Idempotency-Key` is refused, because a promise nobody keeps is worse than none. */
  readonly idempotency?: IdempotencyStore;
  /** Path in front of every controller. Default `api/v1`. */
  readonly prefix?: string;
  /** Controller paths that stay outside the prefix, such as `health/live`. */
  readonly unprefixed?: readonly string[];
  /** Origins of foreign pages that may call, such as `https://desk.example.org`. Default none. */
  readonly origins?: readonly string[];
  readonly title?: string;
  readonly version?: string;
  /** Path segments that only group others, such as `agent`; they never name an area of the reference. */
  readonly groups?: readonly string[];
  /** What the reference says that is in no schema. */
  readonly texts?: ReferenceTexts;
};

const MIB = 1_048_576;
const SWEEP_MS = 600_000;

/** Nest would add parsers of its own for JSON and for forms, in front of ours. */
class OwnParsers extends FastifyAdapter {
  override registerParserMiddleware() {}
}

/** The adapter to create the application with: what Fastify takes only at its birth. */
export const fastifyAdapter = ({ bodyLimit = MIB }: FastifyAdapterOptions = {}): FastifyAdapter =>
  new OwnParsers({
    bodyLimit,
    trustProxy: false,
    genReqId: (request: IncomingMessage) => wellFormedId(request.headers['x-request-id']) ?? newEventId(),
    clientErrorHandler: answerBrokenHttp,
    frameworkErrors: answerUnroutable,
    routerOptions: { maxParamLength: 512 },
  });

/** Installs the whole HTTP edge. Call it once, after creating the application and before it starts. */
export const configureHttp = (app: NestFastifyApplication, options: HttpOptions = {}): AuthGuard => {
  const { idempotency, prefix = 'api/v1', unprefixed = [], origins = [], title = 'Agent Harness', version = '0', groups = [], texts } = options;
  const server = app.getHttpAdapter().getInstance();
  const guard = new AuthGuard(app.get(Authenticator, { strict: false }), app.get(Clock, { strict: false }));
  const draining = app.get(Draining, { strict: false });
  server.addHook('onRequest', (request, reply, done) => {
    addAnswerHeaders(request, reply);
    done();
  });
  if (origins.length > 0) allowOrigins(app, origins);
  closeSilentConnections(app.getHttpServer(), draining.signal);
  installJson(server);
  app.setGlobalPrefix(prefix, { exclude: [...unprefixed] });
  app.useGlobalFilters(new ProblemFilter());
  app.useGlobalGuards(guard);
  app.useGlobalInterceptors(new IdempotencyInterceptor(idempotency, draining.signal));
  app.useGlobalPipes(validation());
  serveReference(app, { title, version, groups, ...(texts && { texts }) });
  if (idempotency) sweepRegularly(server, idempotency);
  return guard;
};

const sweepRegularly = (server: FastifyInstance, store: IdempotencyStore) => {
  // A sweep that fails is made up for by the next one.
  const timer = setInterval(() => store.sweep().catch(() => 0), SWEEP_MS).unref();
  server.addHook('onClose', (_server, done) => {
    clearInterval(timer);
    done();
  });
};

/** A path that cannot be decoded reaches neither hooks nor filters. */
const answerUnroutable = (error: Error, request: FastifyRequest, reply: FastifyReply) => {
  addAnswerHeaders(request, reply);
  sendProblem(reply, failureOf(error).exception);
};

/** Bytes that are no HTTP never become a request; the answer is written by hand. */
const answerBrokenHttp = (error: Error & { code?: string }, socket: Socket) => {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const body = toJson(problemBody(400, 'VALIDATION_FAILED', 'This is not a well-formed HTTP request.'));
  const head = `HTTP/1.1 400 Bad Request\r\ncontent-type: application/problem+json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n`;
  socket.end(head + body);
};
