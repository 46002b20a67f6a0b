import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { EXPOSITION_TYPE } from './exposition';
import type { MetricsAccess } from './metrics-access';
import type { MetricsEndpoint } from './metrics-endpoint';

export type MetricsListener = { readonly port: number; stop(): Promise<void> };

/** `GET /metrics` and `GET /health/live` on a port of their own: a process without the API is scraped there. Port 0 takes a free one. */
export const listenForMetrics = async (port: number, endpoint: MetricsEndpoint, access: MetricsAccess): Promise<MetricsListener> => {
  const server = createServer((request, response) => {
    const path = request.method === 'GET' ? request.url?.split('?', 1)[0] : undefined;
    if (path === '/health/live') response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
    else if (path === '/metrics') endpoint.read(request.headers, access).then(answering(response), () => response.writeHead(503).end());
    else response.writeHead(404).end();
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

const answering = (response: ServerResponse) => (text: string | null) => {
  if (text === null) response.writeHead(401, { 'www-authenticate': 'Bearer' }).end('Send the token of HARNESS_METRICS_TOKEN.\n');
  else response.writeHead(200, { 'content-type': EXPOSITION_TYPE, 'cache-control': 'no-store' }).end(text);
};
