import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { readFileSync } from 'node:fs';
import { servePage } from '../page';
import { openApi, type OpenApiOptions } from './open-api';

const page = readFileSync(new URL('./reference.html', import.meta.url), 'utf8');

/** `/openapi.json` and the page `/docs` that shows it; both are public. The document is made once, at the first request. */
export const serveReference = (app: NestFastifyApplication, options: OpenApiOptions): void => {
  const server = app.getHttpAdapter().getInstance();
  let document: string | undefined;
  server.get('/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send((document ??= JSON.stringify(openApi(app, options)))),
  );
  servePage(app, '/docs', page);
};
