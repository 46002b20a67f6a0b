import { OutboundError } from './outbound-error';
import type { Hop, HopAnswer } from './send-once';

/** Headers that say nothing but what the body is: they may cross to another origin. */
const HARMLESS = ['accept', 'accept-encoding', 'content-type', 'idempotency-key', 'user-agent'];

/**
 * Where an answer sends the request next, or undefined when it is the last one. 303, and 301 and 302 after a POST, go on as a GET without the
 * body, as every client does; 307 and 308 repeat what was sent. To another origin no credential goes along, and from https none leads to http.
 */
export const redirectOf = ({ url, method, headers, body }: Hop, answer: HopAnswer, credentials: Readonly<Record<string, string>>): Hop | undefined => {
  const { location } = answer.headers;
  if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return undefined;
  const next = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined;
  if (!next || (next.protocol !== 'http:' && next.protocol !== 'https:') || next.username !== '' || next.password !== '') {
    throw new OutboundError('REDIRECT_REFUSED', `${url.origin} redirects to what is no http or https address.`);
  }
  if (url.protocol === 'https:' && next.protocol === 'http:') throw new OutboundError('REDIRECT_REFUSED', `${url.origin} redirects from https to http.`);
  const becomesGet = (answer.status === 303 && method !== 'HEAD') || (answer.status < 303 && method === 'POST');
  const kept = next.origin === url.origin ? headers : only(headers, HARMLESS, Object.keys(credentials));
  return { url: next, method: becomesGet ? 'GET' : method, headers: becomesGet ? without(kept, 'content-type') : kept, body: becomesGet ? undefined : body };
};

const only = (headers: Readonly<Record<string, string>>, names: readonly string[], never: readonly string[]) => {
  const dropped = never.map((name) => name.toLowerCase());
  return Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name.toLowerCase()) && !dropped.includes(name.toLowerCase())));
};

const without = (headers: Readonly<Record<string, string>>, dropped: string) => Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== dropped));
