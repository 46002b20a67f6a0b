import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type RpcRequest = { readonly id?: number | string; readonly method: string; readonly params?: Record<string, unknown>; readonly headers: IncomingMessage['headers'] };
/** A JSON-RPC result, or whatever else is done with the response. */
export type Reply = { readonly result: unknown } | { readonly error: unknown } | ((response: ServerResponse) => void);
export type RawServer = {
  readonly url: string;
  readonly host: string;
  /** Every request so far, in order. */
  readonly asked: readonly RpcRequest[];
  tools: readonly unknown[];
  /** Replies by method; without one, a method is answered as an honest server does. */
  on: Record<string, (request: RpcRequest) => Reply>;
  close(): Promise<void>;
};

const json = (response: ServerResponse, body: unknown) => response.writeHead(200, { 'content-type': 'application/json' }).end(typeof body === 'string' ? body : JSON.stringify(body));

/** A streamable HTTP server that writes the wire format by hand, so that it can say what no library would let it say. */
export const rawServer = async (tools: readonly unknown[] = []): Promise<RawServer> => {
  const asked: RpcRequest[] = [];
  const state: { tools: readonly unknown[]; on: RawServer['on'] } = { tools, on: {} };
  const honest: Record<string, (request: RpcRequest) => Reply> = {
    initialize: () => ({ result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'raw', version: '1' } } }),
    ping: () => ({ result: {} }),
    'tools/list': () => ({ result: { tools: state.tools } }),
    'tools/call': ({ params }) => ({ result: { content: [{ type: 'text', text: JSON.stringify(params?.['arguments'] ?? {}) }] } }),
  };
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end();
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const message = { ...(JSON.parse(Buffer.concat(chunks).toString('utf8')) as RpcRequest), headers: request.headers };
      asked.push(message);
      if (message.id === undefined) return void response.writeHead(202).end();
      const reply = (state.on[message.method] ?? honest[message.method] ?? (() => ({ error: { code: -32601, message: 'Method not found' } })))(message);
      if (typeof reply === 'function') reply(response);
      else json(response, { jsonrpc: '2.0', id: message.id, ...reply });
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return Object.assign(state, { url: `http://${host}/mcp`, host, asked, close });
};

export const rawTool = (name: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' }, ...more });
