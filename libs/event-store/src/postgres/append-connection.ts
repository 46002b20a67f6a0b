import { Client, DatabaseError } from 'pg';
import type { Connection } from '@app/database';
import type { PreparedCommand } from '../prepare';
import { parametersOf, type Verdicts } from './batch';

export type StoredEvent = { readonly position: bigint; readonly version: number };
type Backend = { readonly pid: number; readonly startedAt: string };

const CONNECT_MS = 5_000;
const TERMINATE_MS = 5_000;
const APPEND = `SELECT head, versions, starts, guarded, repeated FROM es_append(${Array.from({ length: 18 }, (_, i) => `$${i + 1}`).join(', ')})`;

/** The one connection that writes. Only one statement is under way at any time. */
export class AppendConnection {
  private client: Client | null = null;
  private backend: Backend | null = null;

  constructor(
    private readonly connection: Connection,
    private readonly answerMs: number,
    private readonly onLost: () => void,
  ) {}

  /**
   * Connects anew, and answers the head of the log. A server process that a lost connection left behind may still hold a batch that it has
   * not read or not committed yet: it is ended first, so that what is read afterwards is the final outcome. An acknowledged event is a
   * durable one, so asynchronous commit is switched off for this session.
   */
  async open(): Promise<bigint> {
    void this.client?.end().catch(nothing);
    const client = new Client({ ...this.connection, connectionTimeoutMillis: CONNECT_MS, keepAlive: true, application_name: 'event-store append' });
    client.on('error', () => {
      if (this.client === client) this.onLost();
    });
    this.client = null;
    try {
      await client.connect();
      const { rows } = await client.query<{ pid: number; started_at: string; isolation: string; commit: string; head: string }>(SESSION);
      const { pid, started_at: startedAt, isolation, commit, head } = rows[0]!;
      if (isolation !== 'read committed') throw new WrongIsolation(isolation);
      if (commit === 'off') await client.query('SET synchronous_commit = on');
      if (this.backend) await endBackend(client, this.backend);
      this.backend = { pid, startedAt };
      this.client = client;
      return BigInt(head);
    } catch (error) {
      void client.end().catch(nothing);
      throw error;
    }
  }

  /** Sends one batch. Rejects with the driver's error; `isRefusal` tells whether the outcome is known then. */
  async append(commands: readonly PreparedCommand[]): Promise<Verdicts> {
    const { client } = this;
    if (!client) throw new Error('There is no connection to the database');
    const deadline = setTimeout(() => void client.end().catch(nothing), this.answerMs);
    try {
      const { rows } = await client.query<string[]>({ name: 'es_append', text: APPEND, values: parametersOf(commands), rowMode: 'array', types: AS_TEXT });
      return rows[0] as unknown as Verdicts;
    } finally {
      clearTimeout(deadline);
    }
  }

  /** Which of these events are stored above `after`. */
  async find(eventIds: readonly string[], after: bigint): Promise<ReadonlyMap<string, StoredEvent>> {
    if (eventIds.length === 0) return new Map();
    const { rows } = await this.client!.query<{ event_id: string; position: string; version: string }>(
      'SELECT event_id, position, version FROM es_event WHERE position > $1 AND event_id = ANY($2)', [String(after), eventIds],
    );
    return new Map(rows.map(({ event_id, position, version }) => [event_id, { position: BigInt(position), version: Number(version) }]));
  }

  async close(): Promise<void> {
    const { client } = this;
    this.client = null;
    await client?.end().catch(nothing);
  }
}

/** The batch writer relies on each statement of a transaction seeing what was committed before it. */
export class WrongIsolation extends Error {
  constructor(isolation: string) {
    super(
      `default_transaction_isolation is "${isolation}", but the event store needs "read committed": under any other level an append would judge ` +
        `versions by an old snapshot. Run: ALTER ROLE … SET default_transaction_isolation = 'read committed'`,
    );
    this.name = 'WrongIsolation';
  }
}

/** True when the database answered with an error: the transaction is rolled back. Otherwise the outcome is unknown. */
export const isRefusal = (error: unknown): error is DatabaseError => error instanceof DatabaseError && !/^(08|57P)/.test(error.code ?? '08');

/** Refusals that say nothing about the commands: no room, wrong server, read only. Halving the batch would not help. */
export const isAboutTheServer = ({ code = '' }: DatabaseError): boolean => /^(25|53|58)/.test(code);

/** Refusals that one command causes by what it holds. */
export const isAboutTheCommand = ({ code = '' }: DatabaseError): boolean => /^(22|23|54|P0)/.test(code);

const SESSION = `SELECT pg_backend_pid() AS pid, current_setting('default_transaction_isolation') AS isolation,
  current_setting('synchronous_commit') AS commit,
  (SELECT backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()) AS started_at,
  coalesce((SELECT last_position FROM es_batch ORDER BY first_position DESC LIMIT 1), 0)::text AS head`;

const endBackend = async (client: Client, { pid, startedAt }: Backend) => {
  const { rows } = await client.query<{ ended: boolean }>(
    'SELECT pg_terminate_backend(pid, $3) AS ended FROM pg_stat_activity WHERE pid = $1 AND backend_start::text = $2', [pid, startedAt, TERMINATE_MS],
  );
  if (rows.some(({ ended }) => !ended)) throw new Error(`The server process ${pid} of the lost connection does not end`);
};

const AS_TEXT = { getTypeParser: () => (value: string) => value };
const nothing = () => undefined;
