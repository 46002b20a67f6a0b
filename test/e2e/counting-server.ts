import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Body } from './server';

export type ReceivedCall = { readonly method: string; readonly url: string; readonly headers: IncomingHttpHeaders; readonly text: string; readonly body: Body; readonly key: string | undefined };
export type ToolAnswer = { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown };
/** Gives an answer, or takes the response over and gives nothing. */
export type Answering = (call: ReceivedCall, response: ServerResponse) => ToolAnswer | undefined | Promise<ToolAnswer | undefined>;

const counted: Answering = ({ key }) => ({ body: { done: key ?? null } });

/**
 * A tool outside of the product that counts: whatever the harness does or suffers, what arrived here arrived. Runs in the process of the test,
 * so it survives every server that the test kills.
 */
export class CountingServer {
  readonly received: ReceivedCall[] = [];
  answer: Answering = counted;
  private readonly waiting = new Set<() => void>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<CountingServer> {
    const server = createServer();
    const counting = new CountingServer(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const key = request.headers['idempotency-key'];
        const body = text.startsWith('{') ? (JSON.parse(text) as Body) : undefined;
        void counting.take({ method: request.method!, url: request.url!, headers: request.headers, text, body, key: typeof key === 'string' ? key : undefined }, response);
      });
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    return counting;
  }

  /** For `outbound.allowHosts`. */
  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  /** How often each idempotency key arrived. */
  counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    for (const { key = '' } of this.received) counts.set(key, (counts.get(key) ?? 0) + 1);
    return counts;
  }

  /** Until so many calls have arrived, answered or not. */
  async until(count: number): Promise<void> {
    while (this.received.length < count) await new Promise<void>((arrived) => this.waiting.add(arrived));
  }

  /** Calls that arrive from now on wait for their answer until the returned function is called. */
  hold(): () => void {
    const before = this.answer;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.answer = (call, response) => promise.then(() => before(call, response));
    return () => {
      this.answer = before;
      resolve();
    };
  }

  /** Forgets what arrived and answers as in the beginning. */
  reset(): void {
    this.received.length = 0;
    this.answer = counted;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }

  private async take(call: ReceivedCall, response: ServerResponse): Promise<void> {
    this.received.push(call);
    for (const arrived of this.waiting) arrived();
    this.waiting.clear();
    const answer = await this.answer(call, response);
    if (!answer) return;
    const { status = 200, headers = { 'content-type': 'application/json' }, body } = answer;
    response.writeHead(status, headers).end(typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body));
  }
}
