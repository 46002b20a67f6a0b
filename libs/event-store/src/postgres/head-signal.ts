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
const APPLICATION = 'event-store head signal';
const HELLO = 'hello';
const RETRY_MS = 500;

/**
 * Tells other processes that the log has a new head, and hears it from them; a hint, never the truth. It is sent after the commit and by a
 * connection of its own: inside the append it would take a lock of the whole database at commit, and cost 43 % of the throughput.
 * At most one is under way, so under load one notification stands for many batches. A process that is alone sends none: it looks for others
 * with each heartbeat, and a new one says hello.
 */
export class HeadSignal {
  private readonly heartbeatMs: number;
  private readonly answerMs: number;
  private readonly interrupted = new Condition();
  private client: Client | null = null;
  private hasCompany = false;
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
      const client = new Client({ ...this.connection, connectionTimeoutMillis: this.answerMs, keepAlive: true, application_name: APPLICATION });
      client.on('error', () => this.interrupted.notifyAll());
      try {
        await client.connect();
        const pid = await this.join(client);
        client.on('notification', ({ processId }) => {
          if (processId === pid) return;
          this.hasCompany = true;
          this.onHead();
          // A newcomer may have missed what was committed while this process felt alone.
          void this.send();
        });
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

  private async join(client: Client): Promise<number> {
    await client.query(`SET synchronous_commit = off; LISTEN ${CHANNEL}; NOTIFY ${CHANNEL}, '${HELLO}'`);
    await this.lookForCompany(client);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return rows[0]!.pid;
  }

  private async lookForCompany(client: Client) {
    const { rows } = await client.query<{ others: boolean }>(COMPANY);
    this.hasCompany = rows[0]!.others;
  }

  /** Returns when the store closes, rejects when the connection is dead. */
  private async keepAlive(client: Client) {
    while (!this.closed) {
      const seen = this.interrupted.changes;
      await this.interrupted.after(seen, { ms: this.heartbeatMs });
      if (!this.closed) await within(this.answerMs, this.lookForCompany(client));
      void this.send();
    }
  }

  private async send() {
    const { client } = this;
    if (!client || !this.hasCompany || this.sending || this.newest <= this.announced) return;
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

const COMPANY = `SELECT EXISTS (SELECT 1 FROM pg_stat_activity
  WHERE application_name = '${APPLICATION}' AND datname = current_database() AND pid <> pg_backend_pid()) AS others`;

const within = async (ms: number, answer: Promise<unknown>) => {
  let timer: NodeJS.Timeout | undefined;
  answer.catch(() => undefined);
  try {
    await Promise.race([answer, new Promise((_, late) => (timer = setTimeout(() => late(new Error(`No answer within ${ms} ms`)), ms)))]);
  } finally {
    clearTimeout(timer);
  }
};
