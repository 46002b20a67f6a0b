import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Closes connections that ask nothing once the server stops. Node closes those that have had an answer, but waits up to a minute for one
 * that never finished sending a request, and browsers open such connections in advance.
 */
export const closeSilentConnections = (server: Server, stopping: AbortSignal): void => {
  const inFlight = new Map<Socket, number>();
  const silent = (socket: Socket) => inFlight.get(socket) === 0;

  server.on('connection', (socket: Socket) => {
    if (stopping.aborted) return void socket.destroy();
    inFlight.set(socket, 0);
    socket.once('close', () => inFlight.delete(socket));
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    inFlight.set(socket, (inFlight.get(socket) ?? 0) + 1);
    response.once('close', () => {
      if (!inFlight.has(socket)) return;
      inFlight.set(socket, inFlight.get(socket)! - 1);
      if (stopping.aborted && silent(socket)) socket.end();
    });
  });
  // Whoever takes a connection over closes it.
  server.on('upgrade', ({ socket }: IncomingMessage) => inFlight.delete(socket));
  stopping.addEventListener('abort', () => [...inFlight.keys()].filter(silent).forEach((socket) => socket.destroy()), { once: true });
};
