import { createHash } from 'node:crypto';
import type { ClientBase, QueryResult } from 'pg';

type Queries = Pick<ClientBase, 'query'>;

const LOCKS_A_TABLE = /\b(CREATE TABLE|CREATE (UNIQUE )?INDEX|ALTER TABLE)\b/;
const NOTHING: QueryResult = { command: '', rowCount: 0, oid: 0, fields: [], rows: [] };

/**
 * A client for migrations that sends each statement about the shape of a table once to a database. `IF NOT EXISTS` alone is not enough where
 * processes start while others work: PostgreSQL locks the table before it looks, so a start would wait for the longest transaction on it, and
 * everybody else for the start. What was sent is recorded afterwards, hence a statement must bear being sent again.
 */
export const schemaOnce = async (client: Queries): Promise<Queries> => {
  await client.query(`
    CREATE TABLE IF NOT EXISTS schema_statement (
      sha256 text PRIMARY KEY, statement text NOT NULL, applied_at timestamptz NOT NULL DEFAULT clock_timestamp())`);
  const { rows } = await client.query<{ sha256: string }>('SELECT sha256 FROM schema_statement');
  const applied = new Set(rows.map(({ sha256 }) => sha256));
  const query = async (text: string, values?: unknown[]) => {
    if (values !== undefined || !LOCKS_A_TABLE.test(text)) return client.query(text, values);
    const sha256 = createHash('sha256').update(text).digest('hex');
    if (applied.has(sha256)) return NOTHING;
    const result = await client.query(text);
    await client.query('INSERT INTO schema_statement (sha256, statement) VALUES ($1, $2) ON CONFLICT DO NOTHING', [sha256, text]);
    return result;
  };
  return { query: query as Queries['query'] };
};
