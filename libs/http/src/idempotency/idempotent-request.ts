import { canonicalJson } from '@app/event-store';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../caller';
import { isPrintable } from '../header-text';
import { ProblemException } from '../problem';
import type { IdempotentRequest } from './idempotency-store';

const MAX_KEY = 255;

type Sent = Pick<FastifyRequest, 'method' | 'url' | 'body' | 'headers'>;

/** The idempotency key of a request; 422 for one that is not 1 to 255 printable characters. */
export const keyOf = ({ headers }: Pick<Sent, 'headers'>): string | undefined => {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && isPrintable(key, MAX_KEY)) return key;
  throw ProblemException.invalid([{ pointer: '/Idempotency-Key', detail: `1 to ${MAX_KEY} printable ASCII characters` }]);
};

/**
 * The scope is who (principal and site), what (method and path) and the key. The fingerprint covers the query and the body as a value, so a
 * client that sends the fields in another order still repeats itself.
 */
export const idempotentRequest = (request: Sent, { principal, siteId }: Caller, key: string): IdempotentRequest => {
  if (request.body instanceof Readable) throw ProblemException.invalid([{ pointer: '/Idempotency-Key', detail: 'This route reads its body as it comes, and cannot tell a repeat' }]);
  const at = request.url.indexOf('?');
  const [path, query] = at < 0 ? [request.url, ''] : [request.url.slice(0, at), request.url.slice(at)];
  return { scope: digest([principal.id, siteId, request.method, path, key]), fingerprint: digest([query, request.body ?? {}]), path };
};

const digest = (parts: readonly unknown[]) => createHash('sha256').update(canonicalJson(parts)).digest('base64url');
