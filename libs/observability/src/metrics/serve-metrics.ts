import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { MetricsAccess } from './metrics-access';
import type { MetricsEndpoint } from './metrics-endpoint';

/** `GET /metrics` beside the API. */
export const serveMetrics = (server: Pick<FastifyInstance, 'get'>, endpoint: MetricsEndpoint, access: MetricsAccess): void => {
  server.get('/metrics', async (request, reply) => {
    const { status, headers, body } = await endpoint.answer(request.headers, access);
    return reply.status(status).headers(headers).serializer(String).send(body);
  });
};

export type MetricsListener = { readonly port: number; stop(): Promise<void> };

/** `GET /metrics` and `GET /health/live` on a port of their own: a process without the API is scraped there. Port 0 takes a free one. */
export const listenForMetrics = async (port: number, endpoint: MetricsEndpoint, access: MetricsAccess): Promise<MetricsListener> => {
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0];
    if (request.method === 'GET' && path === '/health/live') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
    } else if (request.method === 'GET' && path === '/metrics') {
      endpoint.answer(request.headers, access).then(
        ({ status, headers, body }) => response.writeHead(status, headers).end(body),
        () => response.writeHead(503).end(),
      );
    } else {
      response.writeHead(404).end();
    }
  });
  server.listen(port, access.host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
