import { Client, DatabaseError } from 'pg';
import { StartRefused } from './start-refused';

/** PostgreSQL: not there (08, 57), full (53), who may come in (28), no such database (3D), no right to (42501), a standby without writes (25006). */
const FOR_THE_OPERATOR = /^(08|28|3D|53|57)...$|^(42501|25006)$/;

/**
 * A failure to connect or to prepare the schema as a sentence about `DATABASE_URL`, without its password. What PostgreSQL says about a
 * statement of ours is no operator's matter and stays as it is.
 */
export const databaseRefusal = (databaseUrl: string, error: unknown): unknown => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const { code = '', message } = cause as Error & { code?: string };
  if (cause instanceof DatabaseError && !FOR_THE_OPERATOR.test(code)) return error;
  const { host, port, database } = new Client({ connectionString: databaseUrl });
  return new StartRefused(`The database ${database} at ${host}:${port}, named by DATABASE_URL, cannot be used: ${message || code}.`, { cause: error });
};
