import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { challenge, MCP_PATH, protectedResource, WELL_KNOWN, type ProtectedResource } from './protected-resource.view';

/** Pages of any origin may read it: clients in a browser look here before they have been let in anywhere. */
const PUBLIC = { 'cache-control': 'public, max-age=300', 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };

/** Tells clients without a token where to get one: two public documents, and a challenge on every 401 of the API. Call it before the routes are made. */
export const serveProtectedResource = (app: NestFastifyApplication, resource: ProtectedResource): void => {
  const server = app.getHttpAdapter().getInstance();
  for (const path of ['', MCP_PATH] as const) {
    const document = JSON.stringify(protectedResource(resource, path));
    server.get(`${WELL_KNOWN}${path}`, (_request, reply) => reply.type('application/json; charset=utf-8').headers(PUBLIC).send(document));
  }
  server.addHook('onSend', (request, reply, _payload, done) => {
    const [path = ''] = request.url.split('?', 1);
    if (reply.statusCode === 401 && path.startsWith('/api/')) reply.header('www-authenticate', challenge(resource.publicUrl, path, request.headers.authorization !== undefined));
    done();
  });
};
