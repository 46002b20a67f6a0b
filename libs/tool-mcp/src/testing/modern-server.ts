import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeReadableStream } from 'node:stream/web';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';

export type ModernServer = {
  readonly url: string;
  /** The description that the tool `shout` has from now on; whoever listens is told. */
  describe(description: string): void;
  close(): Promise<void>;
};

const INPUT = fromJsonSchema<{ text: string }>({ type: 'object', properties: { text: { type: 'string' } }, required: ['text'] });

/** The official server library behind an HTTP port, in whichever era its client speaks. Its one tool shouts and tells the era and its `_meta`. */
export const modernServer = async (): Promise<ModernServer> => {
  let description = 'Shouts a text.';
  const handler = createMcpHandler(({ era }) => {
    const server = new McpServer({ name: 'modern', version: '1' }, { capabilities: { tools: { listChanged: true } } });
    server.registerTool('shout', { description, inputSchema: INPUT, annotations: { readOnlyHint: true } }, ({ text }, { mcpReq }) => ({
      content: [{ type: 'text', text: JSON.stringify({ said: text.toUpperCase(), era, meta: mcpReq._meta ?? null }) }],
    }));
    return server;
  });
  const server = createServer((request, response) => {
    const leave = new AbortController();
    response.on('close', () => leave.abort());
    const init = { method: request.method ?? 'GET', headers: Object.entries(request.headersDistinct).flatMap(([name, values = []]) => values.map((value): [string, string] => [name, value])), signal: leave.signal };
    const body = request.method === 'POST' ? { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' as const } : {};
    void handler.fetch(new Request(`http://${request.headers.host}${request.url}`, { ...init, ...body })).then((answer) => {
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      if (answer.body === null) response.end();
      else Readable.fromWeb(answer.body as NodeReadableStream).on('error', () => response.destroy()).pipe(response);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const close = async () => {
    await handler.close();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, close,
    describe: (text) => {
      description = text;
      handler.notify.toolsChanged();
    },
  };
};
