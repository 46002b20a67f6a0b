import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { mercurius } from 'mercurius';
import { failureOf, type AuthGuard } from '@app/http';
import type { DocumentNode, ExecutionResult } from 'graphql';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { GraphqlContext } from '../context';
import type { Engine } from '../engine';
import { formatted } from '../problems';

export type SocketOptions = {
  readonly engine: Engine;
  readonly guard: Pick<AuthGuard, 'admit'>;
  /** How long a connection may be without saying whose it is, and how long it may take to say good-bye. */
  readonly initMs?: number;
  readonly closeMs?: number;
};

/** What Mercurius calls `onConnect` on. */
type Connection = { readonly context: { readonly request: FastifyRequest }; readonly socket: { close(code: number, reason: string): void } };
type Init = { readonly payload?: Readonly<Record<string, unknown>> | null };

const PROTOCOL = 'graphql-transport-ws';
const KEEP_ALIVE_MS = 25_000;
const INIT_MS = 10_000;
const CLOSE_MS = 2_000;
/** Of the protocol: the connection was not said to be whose it is. */
const UNAUTHORIZED = 4401;

/**
 * Subscribers over WebSocket, by Mercurius, in a Fastify of its own that listens nowhere and is handed the connections. A connection says whose it is in its
 * headers or in `connection_init`, before anything else and in time; Mercurius itself neither validates subscriptions nor ends silent connections, so both
 * is done here.
 */
export class SocketServer {
  private readonly waiting = new Map<IncomingMessage, NodeJS.Timeout>();
  private readonly sockets = new Set<Duplex>();

  private constructor(
    private readonly server: FastifyInstance,
    private readonly initMs: number,
    private readonly closeMs: number,
  ) {}

  static async open({ engine, guard, initMs = INIT_MS, closeMs = CLOSE_MS }: SocketOptions): Promise<SocketServer> {
    const server = Fastify({ logger: false });
    const sockets = new SocketServer(server, initMs, closeMs);
    await server.register(mercurius, {
      schema: engine.schema,
      path: '/graphql',
      graphiql: false,
      errorFormatter: (result: ExecutionResult) => ({ statusCode: 200, response: { data: result.data ?? null, errors: (result.errors ?? []).map(formatted) } as never }),
      subscription: {
        keepAlive: KEEP_ALIVE_MS,
        verifyClient: ({ req }, next) => next(firstProtocolOf(req) === PROTOCOL, 400, `Speak ${PROTOCOL}`),
        onConnect: async function (this: unknown, init: Init) {
          return sockets.admit(this as Connection, init, engine, guard);
        },
      },
    });
    server.graphql.addHook('preSubscriptionExecution', (_schema: unknown, document: DocumentNode) => {
      const [fault] = engine.documents.faultsOf(document, {});
      if (fault) throw Object.assign(fault, { extensions: formatted(fault).extensions });
    });
    await server.ready();
    return sockets;
  }

  /** Takes over a connection that asked to be upgraded. */
  take(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.sockets.add(socket);
    this.waiting.set(request, setTimeout(() => socket.destroy(), this.initMs).unref());
    socket.once('close', () => {
      this.sockets.delete(socket);
      this.admitted(request);
    });
    this.server.server.emit('upgrade', request, socket, head);
  }

  /** Ends all connections; whoever does not answer is cut off. */
  async close(): Promise<void> {
    const cut = setTimeout(() => this.sockets.forEach((socket) => socket.destroy()), this.closeMs);
    await this.server.close();
    clearTimeout(cut);
    for (const socket of this.sockets) socket.destroy();
  }

  private admitted(request: IncomingMessage): void {
    clearTimeout(this.waiting.get(request));
    this.waiting.delete(request);
  }

  private async admit({ context: { request }, socket }: Connection, { payload }: Init, engine: Engine, guard: Pick<AuthGuard, 'admit'>): Promise<GraphqlContext | false> {
    const asking = { id: request.id, headers: { ...textsIn(payload), ...request.headers } } as unknown as FastifyRequest;
    try {
      const session = engine.session(await guard.admit(asking), asking);
      this.admitted(request.raw);
      return { session };
    } catch (error) {
      const { code } = failureOf(error).exception.problem;
      socket.close(UNAUTHORIZED, code);
      return false;
    }
  }
}

/** The one that will be spoken. */
const firstProtocolOf = ({ headers }: IncomingMessage): string | undefined => headers['sec-websocket-protocol']?.split(',', 1)[0]?.trim();

const FROM_PAYLOAD = ['authorization', 'x-api-key', 'x-site-id'];

/** Browsers cannot set headers of a WebSocket, so the payload of `connection_init` may bring them; whatever the case of their names. */
const textsIn = (payload: Init['payload']): Record<string, string> =>
  Object.fromEntries(
    Object.entries(payload ?? {}).flatMap(([name, value]) => (FROM_PAYLOAD.includes(name.toLowerCase()) && typeof value === 'string' ? [[name.toLowerCase(), value]] : [])),
  );
