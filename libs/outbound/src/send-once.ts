import { Client } from 'undici';
import { pinnedTo } from './pinned-to';
import { readBody, type ReadBody } from './read-body';
import type { ResolvedAddress } from './resolver';

export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

export type Hop = { readonly url: URL; readonly method: Method; readonly headers: Readonly<Record<string, string>>; readonly body: string | Uint8Array | undefined };
export type HopAnswer = ReadBody & { readonly status: number; readonly headers: Readonly<Record<string, string>> };

const CONNECT_MS = 10_000;
const MAX_HEADER_BYTES = 16_384;

/**
 * One request on a connection of its own, to one of these addresses and to no other: the name is not resolved again, so there is nothing
 * between the check and the connection. No redirect is followed, nothing is sent twice.
 */
export const sendOnce = async ({ url, method, headers, body }: Hop, addresses: readonly ResolvedAddress[], maxBytes: number, signal: AbortSignal): Promise<HopAnswer> => {
  const client = new Client(url.origin, {
    allowH2: false, pipelining: 1, maxHeaderSize: MAX_HEADER_BYTES, headersTimeout: 0, bodyTimeout: 0, connect: { timeout: CONNECT_MS, lookup: pinnedTo(addresses) },
  });
  try {
    const answer = await client.request({ path: `${url.pathname}${url.search}`, method, headers, body: body ?? null, signal });
    const said = headersOf(answer.headers);
    // A body that is left unread breaks when the connection ends; nobody waits for it any more.
    answer.body.on('error', () => undefined);
    return { status: answer.statusCode, headers: said, ...(await readBody(answer.body, said['content-encoding'] ?? '', maxBytes, url.origin)) };
  } finally {
    await client.destroy();
  }
};

/** Names in lower case; a header that comes several times is one text. */
const headersOf = (raw: Readonly<Record<string, string | string[] | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(raw).map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : (value ?? '')]));
