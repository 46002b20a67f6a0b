import { outboundError, OutboundError } from './outbound-error';
import { reachableAddresses } from './reachable-addresses';
import { redirectOf } from './redirects';
import { SystemResolver, type ResolvedAddress, type Resolver } from './resolver';
import { sendOnce, type Hop, type HopAnswer, type Method } from './send-once';

export type OutboundRequest = {
  readonly url: string;
  readonly method?: Method;
  readonly headers?: Readonly<Record<string, string>>;
  /** Headers for the origin of `url` alone: they are left out where a redirect leads to another one. */
  readonly credentials?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Hosts that may be reached although their range is refused: `127.0.0.1:9000`, `*.corp.example`. */
  readonly allowHosts: readonly string[];
  /** Milliseconds for the whole of it, from the resolution of the name to the last byte of the body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Bytes of the body that are read, after decompression. */
  readonly maxBytes?: number;
  readonly maxRedirects?: number;
};

/** `isCut`: the body was longer than what was read of it. `url` is where the answer came from in the end. */
export type OutboundAnswer = HopAnswer & { readonly url: string };

export const MAX_BODY_BYTES = 512 * 1024;
const MAX_REDIRECTS = 3;

/**
 * The way out of this server for URLs that a user wrote. Only http and https; every address that a name has must be public unless the host is
 * listed; a name is resolved once and connected at what was checked; redirects pass the same checks. Rejects with `OutboundError`.
 */
export class OutboundHttp {
  constructor(private readonly resolver: Resolver = new SystemResolver()) {}

  async request({ timeoutMs, signal, maxBytes = MAX_BODY_BYTES, maxRedirects = MAX_REDIRECTS, ...request }: OutboundRequest): Promise<OutboundAnswer> {
    const deadline = AbortSignal.timeout(timeoutMs);
    const ended = signal ? AbortSignal.any([signal, deadline]) : deadline;
    const known = new Map<string, Promise<readonly ResolvedAddress[]>>();
    let hop = firstHop(request);
    for (let followed = 0; ; followed++) {
      const { origin } = hop.url;
      try {
        const addresses = await this.addressesOf(hop.url, request.allowHosts, known, ended);
        const answer = await sendOnce(hop, addresses, maxBytes, ended);
        const next = redirectOf(hop, answer, request.credentials ?? {});
        if (!next) return { ...answer, url: hop.url.href };
        if (followed === maxRedirects) throw new OutboundError('REDIRECT_REFUSED', `${origin} redirects once more after ${maxRedirects} redirects.`);
        hop = next;
      } catch (error) {
        throw ended.aborted ? new OutboundError('UPSTREAM_TIMEOUT', `${origin} did not give a whole answer within ${timeoutMs} ms.`) : outboundError(error, origin);
      }
    }
  }

  private addressesOf(url: URL, allowHosts: readonly string[], known: Map<string, Promise<readonly ResolvedAddress[]>>, ended: AbortSignal): Promise<readonly ResolvedAddress[]> {
    const resolve = (host: string) => {
      const resolving = known.get(host) ?? this.resolver.resolve(host);
      known.set(host, resolving);
      return resolving;
    };
    return reachableAddresses({ url, origin: url.origin, allowHosts, resolve, ended });
  }
}

const firstHop = ({ url: text, method = 'GET', headers = {}, credentials = {}, body }: Pick<OutboundRequest, 'url' | 'method' | 'headers' | 'credentials' | 'body'>): Hop => {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw new OutboundError('REQUEST_INVALID', 'Only http and https URLs can be reached.');
  if (url.username !== '' || url.password !== '') throw new OutboundError('REQUEST_INVALID', 'A URL must not carry a user name or a password; name a secret instead.');
  return { url, method, headers: { 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'agent-harness', ...headers, ...credentials }, body };
};
