import type { Site } from '@app/governance/contract';
import type { Resolver } from '@app/outbound';
import { scrub, type SecretResolver } from '@app/vault';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { guardedFetch, MAX_MESSAGE_BYTES } from './outbound-fetch';
import { resolveReferences } from './references';
import { UpstreamError, upstreamError } from './upstream-error';

export type McpTransport = Site['mcpServers'][string];

/** How one upstream server of a site is reached. `explain`: a program's own complaints go into the error, for an administrator and not for an agent. */
export type Address = { readonly siteId: string; readonly server: string; readonly transport: McpTransport; readonly allowHosts: readonly string[]; readonly explain?: boolean };

/** What the connections of this process share. `stdio`: programs may be started. */
export type ConnectionOptions = { readonly secrets: SecretResolver; readonly stdio: boolean; readonly resolver?: Resolver; readonly connectMs?: number };

/** A connected client. `secrets` are the values it was opened with; whatever the server says is cleaned of them. */
export type OpenClient = { readonly client: Client; readonly secrets: readonly string[]; noted(): string | undefined; close(): Promise<void> };

const CONNECT_MS = 10_000;
const PROBE_MS = 3_000;
const STDERR_TAIL = 500;

/** Schemas of strangers are compiled by us, under our bounds, or not at all. */
const NO_VALIDATION = { getValidator: () => (value: unknown) => ({ valid: true as const, data: value as never, errorMessage: undefined }) };

/**
 * Connects in whichever era the server speaks. No capability is declared, so a server that wants a sample, an input or our roots is told that
 * there is no such method. Rejects with `UpstreamError`; nothing stays open then.
 */
export const openClient = async (address: Address, options: ConnectionOptions, onChanged: () => void): Promise<OpenClient> => {
  const link = await linkTo(address, options);
  const { connectMs = CONNECT_MS } = options;
  const client = new Client({ name: 'agent-harness', version: '1.0.0' }, {
    capabilities: {},
    versionNegotiation: { mode: 'auto', probe: { timeoutMs: Math.min(PROBE_MS, connectMs) } },
    inputRequired: { autoFulfill: false },
    jsonSchemaValidator: NO_VALIDATION,
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged } },
  });
  let last: string | undefined;
  client.onerror = ({ message }) => (last = message);
  const close = async () => {
    await client.close().catch(() => undefined);
    await link.close();
  };
  const deadline = AbortSignal.timeout(connectMs);
  try {
    await Promise.race([client.connect(link.transport, { timeout: connectMs, signal: deadline }), elapsed(deadline, address.server)]);
    return { client, secrets: link.secrets, noted: () => last, close };
  } catch (error) {
    const complaints = address.explain ? [last, link.tail()].filter(Boolean).join(' — ') : last;
    const { code, sentence } = upstreamError(error, address.server, complaints);
    await close();
    throw new UpstreamError(code, scrub(sentence, link.secrets));
  }
};

const elapsed = (deadline: AbortSignal, server: string): Promise<never> =>
  new Promise((_never, reject) => {
    deadline.addEventListener('abort', () => reject(new UpstreamError('UPSTREAM_TIMEOUT', `${server} did not take up the connection in time.`)), { once: true });
  });

type Link = { readonly transport: StdioClientTransport | StreamableHTTPClientTransport; readonly secrets: readonly string[]; tail(): string; close(): Promise<void> };

const linkTo = ({ siteId, server, transport, allowHosts }: Address, { secrets: resolver, stdio, resolver: names }: ConnectionOptions): Promise<Link> => {
  if (transport.type === 'http') return httpLink(siteId, transport, allowHosts, resolver, names);
  if (!stdio) throw new UpstreamError('STDIO_OFF', `${server} is a program, and this installation starts none (HARNESS_MCP_STDIO).`);
  return stdioLink(siteId, transport, resolver);
};

const httpLink = async (siteId: string, { url, headers = {} }: Extract<McpTransport, { type: 'http' }>, allowHosts: readonly string[], resolver: SecretResolver, names: Resolver | undefined): Promise<Link> => {
  const { values, secrets } = await resolveReferences(headers, siteId, resolver);
  const way = guardedFetch(new URL(url), allowHosts, names);
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch: way.fetch, requestInit: { headers: values } });
  return { transport, secrets, tail: () => '', close: way.close };
};

const stdioLink = async (siteId: string, { command, args = [], env = {} }: Extract<McpTransport, { type: 'stdio' }>, resolver: SecretResolver): Promise<Link> => {
  const { values, secrets } = await resolveReferences(env, siteId, resolver);
  const transport = new StdioClientTransport({ command, args, env: values, stderr: 'pipe', maxBufferSize: MAX_MESSAGE_BYTES });
  let tail = '';
  // Read to its end, for a program whose messages nobody reads stands still.
  transport.stderr?.on('data', (chunk: Buffer) => (tail = (tail + chunk.toString('utf8')).slice(-STDERR_TAIL)));
  return { transport, secrets, tail: () => tail.trim(), close: () => transport.close() };
};
