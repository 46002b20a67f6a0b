import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Answer, Api, Body } from '../server';

export const REVISION = '2026-07-28';
export const REVISIONS_2025 = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

type Form = { readonly action: 'accept' | 'decline' | 'cancel'; readonly content?: Record<string, string> };
export type ClientOptions = {
  readonly era?: 'legacy' | 'auto';
  readonly headers?: Record<string, string>;
  /** Fills in what it is asked; a client without it says that it cannot. */
  readonly fillsIn?: (message: string) => Form;
};

/** The official client, connected with a key. */
export const connected = async (url: string, key: string, { era = 'auto', headers = {}, fillsIn }: ClientOptions = {}): Promise<Client> => {
  const client = new Client({ name: 'e2e', version: '1' }, { versionNegotiation: { mode: era }, capabilities: fillsIn ? { elicitation: { form: {} } } : {} });
  if (fillsIn) client.setRequestHandler('elicitation/create', ({ params }) => Promise.resolve(fillsIn(params.message)));
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/api/v1/mcp`), { requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } } }));
  return client;
};

/** A message as the revision of 2026 sends it: every request says by itself who speaks. */
export const message = (method: string, params: Body = {}, capabilities: Body = {}, id: number | string = 1): Body => ({
  jsonrpc: '2.0', id, method,
  params: {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': REVISION, 'io.modelcontextprotocol/clientInfo': { name: 'e2e', version: '1' }, 'io.modelcontextprotocol/clientCapabilities': capabilities,
      ...params._meta,
    },
  },
});

const ACCEPT = { accept: 'application/json, text/event-stream' };

/** One such message over plain HTTP, without anything before it. */
export const ask = (api: Api, method: string, params: Body = {}, { capabilities = {}, headers = {} }: { readonly capabilities?: Body; readonly headers?: Record<string, string> } = {}): Promise<Answer> =>
  api('POST', 'mcp', message(method, params, capabilities), { ...ACCEPT, 'mcp-protocol-version': REVISION, 'mcp-method': method, ...(params.name !== undefined && { 'mcp-name': params.name as string }), ...headers });

/** A message of the revisions before, which say nothing about themselves once they have been initialized. */
export const askLegacy = async (api: Api, body: Body, revision = '2025-11-25'): Promise<Answer & { readonly message: Body }> => {
  const answer = await api('POST', 'mcp', body, { ...ACCEPT, 'mcp-protocol-version': revision });
  const data = /^data: (.*)$/m.exec(answer.text)?.[1];
  return { ...answer, message: (data === undefined ? answer.body : JSON.parse(data)) as Body };
};

/** What a tool call came to, of a plain answer. */
export const resultOf = ({ status, text, body }: Answer): Body => {
  if (status !== 200) throw new Error(`${status} ${text}`);
  return body.result as Body;
};
