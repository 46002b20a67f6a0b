import type { QueryResult, QueryResultRow } from 'pg';
import { begin, isOutage, type Connection, type Database, type Transaction } from './database';

/**
 * A transaction that begins with its first statement. A handler whose effects lie outside the database so holds no connection while it
 * waits for the world, and its checkpoint costs one round trip instead of four.
 */
export class LazyTransaction implements Transaction {
  private connection: Promise<Connection> | undefined;
  private over = false;
  /** The database went away underneath: what happened is no fault of the statements. */
  lost = false;

  constructor(
    private readonly db: Database,
    private readonly idleMs: number,
  ) {}

  get begun(): boolean {
    return this.connection !== undefined;
  }

  async query<R extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<R>> {
    if (this.over) throw new Error('This transaction has ended: a handler must await its statements before it returns.');
    this.connection ??= this.open();
    const connection = await this.connection;
    return this.watched(() => connection.query<R>(text, values));
  }

  /** Runs the last statement and commits when it returns true. Without an open transaction that statement is the whole of it. */
  async conclude(last: (tx: Transaction) => Promise<boolean>): Promise<boolean> {
    if (!this.connection) {
      this.over = true;
      return this.watched(() => last(this.db));
    }
    const holds = await last(this);
    this.over = true;
    const connection = await this.connection;
    await this.watched(() => connection.query(holds ? 'COMMIT' : 'ROLLBACK'));
    this.leave(connection);
    return holds;
  }

  /** Undoes whatever is not committed; never rejects. */
  async rollback(): Promise<void> {
    this.over = true;
    const connection = await this.connection?.catch(() => undefined);
    if (!connection || this.left) return;
    await this.watched(() => connection.query('ROLLBACK')).catch(() => (this.lost = true));
    this.leave(connection);
  }

  private left = false;

  private async open(): Promise<Connection> {
    const connection = await this.db.connect().catch((error: unknown) => {
      this.lost = true;
      throw error;
    });
    connection.on('error', this.onError);
    try {
      await this.watched(() => begin(connection, this.idleMs));
      return connection;
    } catch (error) {
      this.lost = true;
      this.leave(connection);
      throw error;
    }
  }

  private leave(connection: Connection) {
    this.left = true;
    connection.removeListener('error', this.onError);
    connection.release(this.lost);
  }

  private readonly onError = () => void (this.lost = true);

  private async watched<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.lost ||= isOutage(error);
      throw error;
    }
  }
}
