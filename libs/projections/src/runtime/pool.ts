import type { Connection } from '@app/database';
import { Pool, types } from 'pg';

const INT8 = 20;

/** bigint columns become bigint, never a rounded number; the rest is what the driver does by itself. */
const exactTypes = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => (oid === INT8 ? BigInt : types.getTypeParser(oid, format as 'text')) as never,
};

/**
 * Connections that do not wait for the disk at commit. A crash then loses the newest rows and their checkpoint together, and the log,
 * whose own commits do wait, gives them again: nothing is lost or applied twice, and the disk is left to the appends.
 * Prepared plans outlive the time when a table was empty, so scanning it whole must never look cheap.
 */
export const relaxedPool = (connection: Connection, max: number) =>
  exactPool(connection, max, 'SET synchronous_commit = off; SET enable_seqscan = off');

/** Connections whose commits wait for the disk: for what an operator ordered. */
export const durablePool = (connection: Connection, max: number) => exactPool(connection, max, 'SET synchronous_commit = on');

// A process that freezes inside a transaction would keep its locks from whoever takes over: the server ends it after 10 s.
const exactPool = (connection: Connection, max: number, settings: string) => {
  const pool = new Pool({
    ...connection,
    max,
    types: exactTypes,
    application_name: 'projections',
    keepAlive: true,
    onConnect: async (client) => {
      await client.query(`${settings}; SET idle_in_transaction_session_timeout = 10000`);
    },
  });
  // A connection that dies while idle is replaced by the next query; without a listener the process would end.
  pool.on('error', () => undefined);
  return pool;
};
