import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

/** Who may read the metrics. They tell names of agents and tools of every site, so a key of one site is not enough. */
export type MetricsAccess = {
  /** The address the server listens on. */
  readonly host: string;
  /** The bearer token of the scraper; with it every scrape needs it, or a key. */
  readonly token?: string | undefined;
  /** Whether a key may see the whole installation. Without it keys are not taken. */
  readonly isOperator?: (key: string) => Promise<boolean>;
};

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i;
const PROXIED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

/**
 * Without a token the metrics are open to this very machine and to nobody else: the server must listen on loopback, and the request must be
 * meant for loopback and come through no proxy. A web page that points a name of its own at 127.0.0.1 is so turned away, too.
 */
export const mayRead = async ({ host, token, isOperator }: MetricsAccess, headers: IncomingHttpHeaders): Promise<boolean> => {
  if (token === undefined && LOOPBACK.test(host) && LOOPBACK.test(hostnameOf(headers.host)) && !PROXIED.some((name) => name in headers)) return true;
  const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer === undefined) return false;
  return (token !== undefined && isSame(bearer, token)) || ((await isOperator?.(bearer)) ?? false);
};

const hostnameOf = (host = '') => host.replace(/:\d+$/, '');

const isSame = (one: string, other: string) => timingSafeEqual(sha256(one), sha256(other));
const sha256 = (text: string) => createHash('sha256').update(text).digest();
