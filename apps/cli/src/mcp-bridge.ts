import { deserializeMessage, SdkHttpError, serializeMessage, StreamableHTTPClientTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Terminal } from './terminal';

type Id = string | number;
type Request = JSONRPCMessage & { readonly id: Id; readonly method: string; readonly params?: Readonly<Record<string, unknown>> };

/** The code of a failure that is none of the protocol: the server refused the HTTP request, or could not be reached. */
const FAILED = -32000;
const NOT_JSON = -32700;

const idOf = (message: JSONRPCMessage): Id | undefined => ('method' in message && 'id' in message ? (message.id as Id) : undefined);

/**
 * Carries messages of both eras between lines of JSON and the endpoint, and understands as little of them as it must: which revision was agreed on,
 * because HTTP repeats it in a header, and which request is taken back, because over HTTP that is done by hanging up.
 */
export class McpBridge {
  private readonly open = new Map<Id, AbortController>();
  private readonly sent = new Set<Promise<unknown>>();
  private readonly http: StreamableHTTPClientTransport;
  private greeting: Id | undefined;

  constructor(url: URL, headers: Record<string, string>) {
    this.http = new StreamableHTTPClientTransport(url, { requestInit: { headers } });
  }

  /** Until the input ends and everything that was asked has been answered, or the person stops it. */
  async serve(input: Readable, { out, err, signal }: Pick<Terminal, 'out' | 'err' | 'signal'>): Promise<void> {
    const answer = (message: JSONRPCMessage) => out(serializeMessage(message));
    this.http.onmessage = (message) => {
      this.heard(message);
      answer(message);
    };
    this.http.onerror = ({ message }) => err(`harness mcp: ${message}\n`);
    await this.http.start();
    const lines = createInterface({ input });
    const stop = () => lines.close();
    signal.addEventListener('abort', stop, { once: true });
    for await (const line of lines) if (line.trim() !== '') this.take(line, answer);
    signal.removeEventListener('abort', stop);
    if (!signal.aborted) await Promise.all(this.sent);
    await this.http.close();
  }

  private take(line: string, answer: (message: JSONRPCMessage) => void): void {
    const message = parsed(line);
    if (!message) return answer({ jsonrpc: '2.0', error: { code: NOT_JSON, message: 'This line is no JSON-RPC message.' } } as JSONRPCMessage);
    if ('method' in message && message.method === 'notifications/cancelled') return this.open.get((message.params as { readonly requestId?: Id } | undefined)?.requestId ?? '')?.abort();
    const id = idOf(message);
    if (id !== undefined && (message as Request).method === 'initialize') this.greeting = id;
    const sending = this.send(message, id, answer).finally(() => this.sent.delete(sending));
    this.sent.add(sending);
  }

  private async send(message: JSONRPCMessage, id: Id | undefined, answer: (message: JSONRPCMessage) => void): Promise<void> {
    const hangUp = new AbortController();
    let ended = () => {};
    const streamed = new Promise<void>((done) => (ended = done));
    hangUp.signal.addEventListener('abort', () => ended(), { once: true });
    if (id !== undefined) this.open.set(id, hangUp);
    try {
      await this.http.send(message, { requestSignal: hangUp.signal, onRequestStreamEnd: () => ended() });
      if (id !== undefined && this.open.has(id)) await streamed;
      if (id !== undefined && this.open.has(id) && !hangUp.signal.aborted) answer({ jsonrpc: '2.0', id, error: { code: FAILED, message: 'The connection ended before the answer.' } });
    } catch (error) {
      if (id !== undefined && !hangUp.signal.aborted) answer({ jsonrpc: '2.0', id, error: failureOf(error) });
    } finally {
      if (id !== undefined) this.open.delete(id);
      ended();
    }
  }

  private heard(message: JSONRPCMessage): void {
    if ('method' in message || !('id' in message)) return;
    const id = message.id as Id;
    this.open.delete(id);
    const agreed = id === this.greeting && 'result' in message ? (message.result as { readonly protocolVersion?: unknown }).protocolVersion : undefined;
    if (typeof agreed === 'string') this.http.setProtocolVersion(agreed);
  }
}

const parsed = (line: string): JSONRPCMessage | undefined => {
  try {
    return deserializeMessage(line);
  } catch {
    return undefined;
  }
};

/** A refusal of the server comes with its code and its sentence, as everywhere else. */
const failureOf = (error: unknown): { readonly code: number; readonly message: string; readonly data?: unknown } => {
  const text = error instanceof SdkHttpError ? error.data['text'] : undefined;
  const problem = typeof text === 'string' ? problemIn(text) : undefined;
  return problem ? { code: FAILED, message: `${problem.code}: ${problem.detail}`, data: problem } : { code: FAILED, message: error instanceof Error ? error.message : String(error) };
};

const problemIn = (text: string): { readonly code: string; readonly detail: string } | undefined => {
  try {
    const problem = JSON.parse(text) as { readonly code?: unknown; readonly detail?: unknown };
    return typeof problem.code === 'string' && typeof problem.detail === 'string' ? (problem as { code: string; detail: string }) : undefined;
  } catch {
    return undefined;
  }
};
