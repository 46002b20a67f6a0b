import { Client } from 'pg';
import type { Connection } from '@app/database';
import { Condition } from '../condition';

export type HeadSignalOptions = {
  /** Pause between two questions that prove the listening connection alive. Default 10 s. */
  readonly heartbeatMs?: number;
  /** A question without an answer for so long proves it dead. Default 5 s. */
  readonly heartbeatAnswerMs?: number;
};

const CHANNEL = 'es_head';
const RETRY_MS = 500;

/**
 * Tells other processes that the log has a new head, and hears it from them; a hint, never the truth. It is sent after the commit and by a
 * connection of its own: inside the append it would take a lock of the whole database at commit, and cost 43 % of the throughput.
 * At most one is under way, so under load one notification stands for many batches.
 */
export class HeadSignal {
  private readonly heartbeatMs: number;
  private readonly answerMs: number;
  private readonly interrupted = new Condition();
  private client: Client | null = null;
  private announced = 0n;
  private newest = 0n;
  private sending = false;
  private closed = false;
  private ended: Promise<void> = Promise.resolve();

  constructor(
    private readonly connection: Connection,
    private readonly onHead: () => void,
    { heartbeatMs = 10_000, heartbeatAnswerMs = 5_000 }: HeadSignalOptions = {},
  ) {
    this.heartbeatMs = heartbeatMs;
    this.answerMs = heartbeatAnswerMs;
  }

  /** Connects in the background, again and again. */
  start() {
    this.ended = this.listen();
  }

  announce(head: bigint) {
    this.newest = head;
    void this.send();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.interrupted.notifyAll();
    await this.ended;
  }

  /** A connection that worked is replaced at once; only failing to connect makes it pause. */
  private async listen() {
    while (!this.closed) {
      const seen = this.interrupted.changes;
      const client = new Client({
        ...this.connection, connectionTimeoutMillis: this.answerMs, keepAlive: true, application_name: 'event-store head signal',
      });
      client.on('notification', () => this.onHead());
      client.on('error', () => this.interrupted.notifyAll());
      try {
        await client.connect();
        await client.query(`SET synchronous_commit = off; LISTEN ${CHANNEL}`);
        this.client = client;
        this.onHead();
        await this.keepAlive(client);
      } catch {
        if (!this.client) await this.interrupted.after(seen, { ms: RETRY_MS });
      } finally {
        this.client = null;
        await client.end().catch(() => undefined);
      }
    }
  }

  /** Returns when the store closes, rejects when the connection is dead. */
  private async keepAlive(client: Client) {
    while (!this.closed) {
      const seen = this.interrupted.changes;
      await this.interrupted.after(seen, { ms: this.heartbeatMs });
      if (!this.closed) await within(this.answerMs, client.query('SELECT 1'));
    }
  }

  private async send() {
    const { client } = this;
    if (!client || this.sending || this.newest <= this.announced) return;
    this.sending = true;
    const head = this.newest;
    try {
      await client.query({ name: 'announce', text: `SELECT pg_notify('${CHANNEL}', $1)`, values: [String(head)] });
      this.announced = head;
    } catch {
      this.interrupted.notifyAll();
      return;
    } finally {
      this.sending = false;
    }
    void this.send();
  }
}

const within = async (ms: number, answer: Promise<unknown>) => {
  let timer: NodeJS.Timeout | undefined;
  answer.catch(() => undefined);
  try {
    await Promise.race([answer, new Promise((_, late) => (timer = setTimeout(() => late(new Error(`No answer within ${ms} ms`)), ms)))]);
  } finally {
    clearTimeout(timer);
  }
};
