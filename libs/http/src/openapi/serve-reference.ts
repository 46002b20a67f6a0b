import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openApi, type OpenApiOptions } from './open-api';

const page = readFileSync(new URL('./reference.html', import.meta.url), 'utf8');

/** The policy names the page's own script and style by hash, so nothing else can run or load. */
const hashesOf = (element: string) =>
  [...page.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`).join(' ');

const POLICY = [
  "default-src 'none'", `script-src ${hashesOf('script')}`, `style-src ${hashesOf('style')}`, "connect-src 'self'", "base-uri 'none'",
  "form-action 'none'", "frame-ancestors 'none'",
].join('; ');

/** `/openapi.json` and the page `/docs` that shows it; both are public. The document is made once, at the first request. */
export const serveReference = (app: NestFastifyApplication, options: OpenApiOptions): void => {
  const server = app.getHttpAdapter().getInstance();
  let document: string | undefined;
  server.get('/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache').send((document ??= JSON.stringify(openApi(app, options)))),
  );
  server.get('/docs', (_request, reply) =>
    reply.type('text/html; charset=utf-8').headers({ 'content-security-policy': POLICY, 'cache-control': 'no-cache' }).send(page),
  );
};
