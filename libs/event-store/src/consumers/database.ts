import type { QueryResult, QueryResultRow } from 'pg';

/** What a handler may do with the transaction its checkpoint commits in; a pool or a client fits as well. */
export type Transaction = {
  query<R extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<R>>;
};

export type Connection = Transaction & {
  on(event: 'error', listener: (error: Error) => void): unknown;
  removeListener(event: 'error', listener: (error: Error) => void): unknown;
  /** `true` closes the connection instead of giving it back. */
  release(destroy?: boolean): void;
};

/** The part of a `pg` pool that consumers use. */
export type Database = Transaction & { connect(): Promise<Connection> };

/**
 * Opens a transaction that a frozen process cannot hold open: the server ends it after `idleMs` without a statement.
 * Otherwise a stopped leader's row locks would outlive its lease and block whoever takes over.
 */
export const begin = async (connection: Transaction, idleMs: number): Promise<void> => {
  await connection.query(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${Math.ceil(idleMs)}`);
};

/** True when the server or the way to it is at fault, and not the statement: SQLSTATE 08, 53, 57, 25P03 (idle too long), socket errors. */
export const isOutage = (error: unknown): boolean => {
  const { code, message } = error as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? /^(08...|53...|57...|25P03|E[A-Z]+)$/.test(code) : /connect/i.test(String(message));
};
