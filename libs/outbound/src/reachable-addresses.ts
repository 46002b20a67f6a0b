import { addressOfHost, refusedRange } from './address-rules';
import { openedBy } from './allowed-hosts';
import { OutboundError } from './outbound-error';
import type { ResolvedAddress } from './resolver';

export type Reached = {
  /** Names host and port; of other schemes, as http would write them. */
  readonly url: URL;
  /** How an error names it: without a path. */
  readonly origin: string;
  readonly allowHosts: readonly string[];
  /** Asked when the host is a name. */
  readonly resolve: (host: string) => Promise<readonly ResolvedAddress[]>;
  readonly ended: AbortSignal;
};

/** Where a connection to this host may go: all of its addresses. Rejects when one of them must not be reached and the host is not listed. */
export const reachableAddresses = async ({ url, origin, allowHosts, resolve, ended }: Reached): Promise<readonly ResolvedAddress[]> => {
  const opened = openedBy(allowHosts, url);
  const literal = addressOfHost(url.hostname);
  const resolving = literal === undefined ? resolve(url.hostname) : Promise.resolve([{ address: literal, family: literal.includes(':') ? 6 : 4 } as const]);
  const addresses = await unless(ended, resolving);
  if (addresses.length === 0) throw new OutboundError('UPSTREAM_UNREACHABLE', `${origin} has no address: its name does not resolve.`);
  for (const { address } of addresses) {
    const range = refusedRange(address);
    if (range === undefined || opened === 'address' || (opened === 'name' && range !== 'metadata')) continue;
    throw new OutboundError('ADDRESS_REFUSED', `${url.host} is at a ${range} address, which this site may not reach. An administrator can list the host in the setting outbound.allowHosts.`);
  }
  return addresses;
};

/** Name services cannot be interrupted; their late answer is left alone. */
const unless = async <T>(ended: AbortSignal, work: Promise<T>): Promise<T> => {
  ended.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new Error('Ended'));
  ended.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    ended.removeEventListener('abort', stop);
    work.catch(() => undefined);
  }
};
