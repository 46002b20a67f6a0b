import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Body } from '../e2e/server';
import type { Ledger } from './ledger';
import type { Random } from './random';

/** Where gateways listen now; one that is down is not in it. */
export type Addresses = () => readonly string[];
export type Asking = {
  /** Sent as Idempotency-Key; then the request is repeated until it has an answer. */
  readonly key?: string;
  /** Safe to repeat without a key. */
  readonly repeatable?: boolean;
};

const ANSWER_MS = 8_000;
const GIVE_UP_MS = 40_000;
const PAUSE_MS = 60;
const UNDERSTOOD = new Set([200, 201, 202, 400, 403, 404, 409, 410, 422, 423]);

/** A client in a world of faults: it asks whichever gateway is up, and repeats what may be repeated. */
export class Client {
  constructor(
    private readonly key: string,
    private readonly addresses: Addresses,
    private readonly ledger: Ledger,
    private readonly random: Random,
    private readonly stopped: AbortSignal,
  ) {}

  /** Undefined when nobody knows what became of the request. */
  async ask(method: string, path: string, body?: unknown, { key, repeatable = key !== undefined || method === 'GET' }: Asking = {}): Promise<Answer | undefined> {
    for (const giveUp = performance.now() + GIVE_UP_MS; ; ) {
      const answer = await this.once(method, path, body, key).catch(() => undefined);
      if (answer) this.ledger.count(answer.status);
      if (answer && answer.status !== 503) {
        if (!UNDERSTOOD.has(answer.status)) this.ledger.strange.push(`${method} ${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
        return answer;
      }
      // What a server that is told to be gone says of itself was not done; what it does not say anything of may have been.
      if (!repeatable || performance.now() > giveUp || this.stopped.aborted) return undefined;
      this.ledger.repeats++;
      await sleep(PAUSE_MS);
    }
  }

  /** The same request again, after its answer: it must be the same answer. */
  async repeat(method: string, path: string, body: unknown, key: string, first: Answer): Promise<void> {
    const again = await this.ask(method, path, body, { key });
    if (again && (again.status !== first.status || again.text !== first.text)) this.ledger.differing.push(`${method} ${path}: ${first.status} ${first.text} and then ${again.status} ${again.text}`);
  }

  private async once(method: string, path: string, body: unknown, key: string | undefined): Promise<Answer | undefined> {
    const urls = this.addresses();
    if (urls.length === 0) return undefined;
    const response = await fetch(`${this.random.of(urls)}/api/v1/${path}`, {
      method, signal: AbortSignal.timeout(ANSWER_MS),
      headers: { authorization: `Bearer ${this.key}`, ...(body !== undefined && { 'content-type': 'application/json' }), ...(key !== undefined && { 'idempotency-key': key }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: text.startsWith('{') ? (JSON.parse(text) as Body) : undefined };
  }
}
