import type { NestFastifyApplication } from '@nestjs/platform-fastify';

/** What pages may read of an answer beside its body: positions, versions, traces, and what to do when it was refused. */
const EXPOSED = ['ETag', 'Idempotent-Replayed', 'Location', 'Mcp-Session-Id', 'Retry-After', 'WWW-Authenticate', 'X-Correlation-Id', 'X-Position', 'X-Request-Id'];
/** A browser asks again after this time whether it may; two hours is the longest that Chromium keeps an answer. */
const MAX_AGE_S = 7_200;

/**
 * Lets pages of these origins call the API with a key or token that they hold; to all others the browser shows nothing. Cookies are never sent along,
 * so a page acts for nobody but the holder of its key.
 */
export const allowOrigins = (app: NestFastifyApplication, origins: readonly string[]): void =>
  app.enableCors({ origin: [...origins], credentials: false, methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], exposedHeaders: EXPOSED, maxAge: MAX_AGE_S });
