import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { EventStore } from '@app/event-store';
import { Draining, openApi, type AuthGuard, type ReferenceTexts } from '@app/http';
import { ReadModels } from '@app/projections';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ApiDocument } from './api/operations';
import { sendFailure } from './http/failures';
import type { GraphqlDesign } from './schema/build-schema';

export type GraphqlOptions = {
  readonly guard: Pick<AuthGuard, 'admit'>;
  readonly design: GraphqlDesign;
  /** What the reference says of the routes; the schema says it of their fields. */
  readonly texts?: ReferenceTexts;
};

/** Everything that needs the libraries of GraphQL; loaded when somebody asks. */
type Running = Awaited<ReturnType<typeof start>>;

const PATH = '/graphql';

/**
 * `POST /graphql` for queries and mutations, `GET /graphql` for queries, and `/graphql` as a WebSocket for subscriptions. Nothing is loaded before the first
 * request with a key, or the first WebSocket.
 */
export const serveGraphql = (app: NestFastifyApplication, options: GraphqlOptions): void => {
  const server = app.getHttpAdapter().getInstance();
  const stopping = app.get(Draining, { strict: false }).signal;
  let running: Promise<Running> | undefined;
  const started = () => (running ??= start(app, options, stopping).catch((error: unknown) => {
    running = undefined;
    throw error;
  }));
  server.route({
    method: ['GET', 'POST'],
    url: PATH,
    errorHandler: (error, request, reply) => void sendFailure(error, request, reply),
    handler: async (request, reply) => {
      const caller = await options.guard.admit(request);
      return (await started()).answer(request, reply, caller);
    },
  });
  app.getHttpServer().on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (pathOf(request.url) !== PATH || stopping.aborted) return void socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    started().then(({ sockets }) => sockets.take(request, socket, head), () => socket.destroy());
  });
  const end = async () => (await running?.catch(() => undefined))?.sockets.close();
  stopping.addEventListener('abort', () => void end(), { once: true });
  server.addHook('onClose', () => end());
};

const pathOf = (url = '') => url.split('?', 1)[0];

const start = async (app: NestFastifyApplication, { guard, design, texts }: GraphqlOptions, stopping: AbortSignal) => {
  const { Engine, SocketServer, HttpAnswers } = await import('./running');
  const document = openApi(app, { title: 'GraphQL', version: '0', groups: design.groups, ...(texts && { texts }) }) as unknown as ApiDocument;
  const engine = new Engine({
    server: app.getHttpAdapter().getInstance(), document, design, stopping, store: app.get(EventStore, { strict: false }), reads: app.get(ReadModels, { strict: false }),
  });
  const { answer } = new HttpAnswers(engine);
  return { answer, sockets: await SocketServer.open({ engine, guard }) };
};
