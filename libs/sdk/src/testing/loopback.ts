import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Seen = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
};

/** Answers one request; a handler per request, the last one for all that follow. */
export type Handler = (response: ServerResponse, request: Seen) => void | Promise<void>;

export type Loopback = {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** Resolves when the n-th request (from 1) has arrived. */
  arrived(n: number): Promise<Seen>;
  close(): Promise<void>;
};

/** A server on this machine that plays a script, for what only a client can get wrong: retries, cuts, resumption. */
export const loopback = async (...script: readonly [Handler, ...Handler[]]): Promise<Loopback> => {
  const seen: Seen[] = [];
  const waiting: { readonly n: number; readonly resolve: (request: Seen) => void }[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const entry: Seen = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
      seen.push(entry);
      for (const { n, resolve } of waiting) if (n === seen.length) resolve(entry);
      void (script[seen.length - 1] ?? script.at(-1)!)(response, entry);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    arrived: (n) => {
      const known = seen[n - 1];
      return known ? Promise.resolve(known) : new Promise((resolve) => waiting.push({ n, resolve }));
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
};

export const answers =
  (data: unknown, position = '1', status = 200): Handler =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ data, position }));
  };

export const lists =
  (data: readonly unknown[], nextCursor: string | null = null, position = '1'): Handler =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data, nextCursor, position }));
  };

export const refuses =
  (status: number, code: string, extra: Readonly<Record<string, unknown>> = {}, headers: Readonly<Record<string, string>> = {}): Handler =>
  (response) => {
    response
      .writeHead(status, { 'content-type': 'application/problem+json', ...headers })
      .end(JSON.stringify({ type: 'about:blank', title: code, status, code, ...extra }));
  };

/** Takes the request and hangs up without a word. */
export const hangsUp: Handler = (response) => void response.socket?.destroy();

/** Sends these pieces of a stream; then ends it, cuts it, or leaves it open. */
export const streams =
  (pieces: readonly string[], then: 'end' | 'cut' | 'stay' = 'stay'): Handler =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    for (const piece of pieces) response.write(piece);
    if (then === 'end') response.end();
    // Only after the pieces have left, or the client would lose them with the connection.
    if (then === 'cut') response.write('', () => setImmediate(() => response.socket?.destroy()));
  };

export const message = (id: string, data: unknown, event = 'message'): string =>
  `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
