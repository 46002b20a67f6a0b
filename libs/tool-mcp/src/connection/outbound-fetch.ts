import { AsyncLocalStorage } from 'node:async_hooks';
import { addressOfHost, openedBy, OutboundError, refusedRange, SystemResolver, type Resolver } from '@app/outbound';
import type { FetchLike } from '@modelcontextprotocol/client';
import { Agent, fetch as undiciFetch } from 'undici';

/** A message of 4 MiB is eight times what the record of a call can hold. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
const CONNECT_MS = 10_000;
/** An event stream that says nothing for longer is opened again. */
const SILENT_MS = 15 * 60_000;

/** The request of a call, so that its answer can end it: an answer that is cut leaves the client library waiting. */
export const requestInHand = new AsyncLocalStorage<{ tooLarge(): void }>();

export type GuardedFetch = { readonly fetch: FetchLike; close(): Promise<void> };

/**
 * A `fetch` for one upstream server. It reaches the origin of that server and nothing else, and only at addresses that the site may reach: a
 * name is checked where it is connected, so a name that changes its address later meets the same check. Bodies are cut after 4 MiB.
 */
export const guardedFetch = (base: URL, allowHosts: readonly string[], resolver: Resolver = new SystemResolver()): GuardedFetch => {
  const opened = openedBy(allowHosts, base);
  const check = (address: string) => {
    const range = refusedRange(address);
    if (range === undefined || opened === 'address' || (opened === 'name' && range !== 'metadata')) return;
    throw new OutboundError('ADDRESS_REFUSED', `${base.host} is at a ${range} address, which this site may not reach. An administrator can list the host in the setting outbound.allowHosts.`);
  };
  const agent = new Agent({
    allowH2: false, bodyTimeout: SILENT_MS,
    connect: {
      timeout: CONNECT_MS,
      lookup: (host, { all }, found) => {
        resolver.resolve(host).then(
          (addresses) => {
            for (const { address } of addresses) check(address);
            if (addresses.length === 0) throw new OutboundError('UPSTREAM_UNREACHABLE', `${base.origin} has no address: its name does not resolve.`);
            if (all) found(null, [...addresses]);
            else found(null, addresses[0]!.address, addresses[0]!.family);
          },
        ).catch((error: unknown) => found(error as Error, '', 4));
      },
    },
  });
  const fetch: FetchLike = async (target, init) => {
    const url = new URL(target);
    if (url.origin !== base.origin) throw new OutboundError('ADDRESS_REFUSED', `${base.origin} leads to ${url.origin}, which is another server.`);
    const literal = addressOfHost(url.hostname);
    if (literal !== undefined) check(literal);
    const answer = (await undiciFetch(url, { ...(init as object), redirect: 'manual', dispatcher: agent })) as unknown as Response;
    return answer.body === null ? answer : capped(answer, answer.body);
  };
  return { fetch, close: () => agent.destroy() };
};

const capped = (answer: Response, body: ReadableStream<Uint8Array>): Response => {
  const request = requestInHand.getStore();
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  let bytes = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes <= MAX_MESSAGE_BYTES) return controller.enqueue(chunk);
      request?.tooLarge();
      controller.error(new OutboundError('RESPONSE_INVALID', isStream ? 'The event stream holds more than is read.' : 'The answer is larger than is read.'));
    },
  });
  return new Response(body.pipeThrough(counting), { status: answer.status, statusText: answer.statusText, headers: answer.headers });
};
