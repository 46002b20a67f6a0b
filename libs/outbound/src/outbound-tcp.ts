import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { addressOfHost } from './address-rules';
import { outboundError, OutboundError } from './outbound-error';
import { pinnedTo } from './pinned-to';
import { reachableAddresses } from './reachable-addresses';
import { SystemResolver, type ResolvedAddress, type Resolver } from './resolver';

export type OutboundMessage = {
  /** `tcp://host:port`, or `tls://host:port` with a certificate that this machine trusts for the host. */
  readonly address: string;
  readonly payload: string;
  /** Hosts that may be reached although their range is refused: see `OutboundHttp`. */
  readonly allowHosts: readonly string[];
  /** Milliseconds for the whole of it, from the resolution of the name to the end of the connection. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
};

/**
 * The way out of this server for protocols that answer nothing, such as syslog. The same hosts and addresses as `OutboundHttp` reaches. Rejects with
 * `OutboundError`.
 */
export class OutboundTcp {
  /** `trust`: authorities beside those of this machine. */
  constructor(
    private readonly resolver: Resolver = new SystemResolver(),
    private readonly trust: Pick<ConnectionOptions, 'ca'> = {},
  ) {}

  /**
   * Hands a message over on a connection of its own. It resolves when the receiver has ended the connection after this side has, in order: by then it has read
   * everything, because the system of a receiver that ends with something unread breaks the connection instead.
   */
  async send({ address, payload, allowHosts, timeoutMs, signal }: OutboundMessage): Promise<void> {
    const { protocol, hostname, port } = new URL(address);
    const origin = `${protocol}//${hostname}:${port}`;
    const deadline = AbortSignal.timeout(timeoutMs);
    const ended = signal ? AbortSignal.any([signal, deadline]) : deadline;
    try {
      const url = new URL(`http://${hostname}:${port}/`);
      const addresses = await reachableAddresses({ url, origin, allowHosts, resolve: (host) => this.resolver.resolve(host), ended });
      await handOver(this.open(protocol, url, Number(port), addresses), payload, ended, origin);
    } catch (error) {
      throw ended.aborted ? new OutboundError('UPSTREAM_TIMEOUT', `${origin} did not take a message within ${timeoutMs} ms.`) : outboundError(error, origin);
    }
  }

  private open(protocol: string, { hostname }: URL, port: number, addresses: readonly ResolvedAddress[]): Opened {
    const literal = addressOfHost(hostname);
    const way = { host: literal ?? hostname, port, lookup: pinnedTo(addresses) };
    if (protocol !== 'tls:') return { socket: connectTcp(way), ready: 'connect' };
    return { socket: connectTls({ ...way, ...this.trust, ...(literal === undefined && { servername: hostname }) }), ready: 'secureConnect' };
  }
}

/** Nothing is written before `ready`: with TLS only then is it known who is there. */
type Opened = { readonly socket: Socket; readonly ready: 'connect' | 'secureConnect' };

const handOver = async ({ socket, ready }: Opened, payload: string, ended: AbortSignal, origin: string): Promise<void> => {
  const over = Promise.withResolvers<void>();
  over.promise.catch(() => undefined);
  const stop = () => over.reject(new Error('Ended'));
  const tooEarly = () => over.reject(new OutboundError('UPSTREAM_UNREACHABLE', `${origin} closed the connection before it had taken the message.`));
  let [isSent, isTaken] = [false, false];
  socket
    .once('error', over.reject)
    .once(ready, () => socket.end(payload))
    .once('finish', () => (isSent = true))
    .once('end', () => (isTaken = isSent))
    .once('close', () => (isTaken ? over.resolve() : tooEarly()))
    .resume();
  ended.addEventListener('abort', stop, { once: true });
  try {
    ended.throwIfAborted();
    await over.promise;
  } finally {
    ended.removeEventListener('abort', stop);
    socket.on('error', () => undefined).destroy();
  }
};
