import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHash } from 'node:crypto';

const hashesOf = (html: string, element: string) =>
  [...html.matchAll(new RegExp(`<${element}>(.*?)</${element}>`, 'gs'))].map(([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`).join(' ');

/** The policy names the page's own script and style by hash, so nothing else can run or load. */
const policyOf = (html: string) =>
  [
    "default-src 'none'", `script-src ${hashesOf(html, 'script')}`, `style-src ${hashesOf(html, 'style')}`, "connect-src 'self'", "base-uri 'none'",
    "form-action 'none'", "frame-ancestors 'none'",
  ].join('; ');

/** Serves one self-contained HTML page; public, because it holds no data: what it shows it fetches with the reader's key. */
export const servePage = (app: NestFastifyApplication, path: string, html: string): void => {
  const headers = { 'content-security-policy': policyOf(html), 'cache-control': 'no-cache' };
  app.getHttpAdapter().getInstance().get(path, (_request, reply) => reply.type('text/html; charset=utf-8').headers(headers).send(html));
};
