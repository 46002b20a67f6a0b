import { Logger } from '@nestjs/common';
import { Client, Pool } from 'pg';
import { migrateProjections, PostgresReadModels, ProjectionProgress, ProjectionsControl } from '@app/projections';
import { migrateHttp, PostgresIdempotency } from '@app/http';
import { startPostgres, type Connection } from '@app/database';
import { Executor, migrateLog, PostgresEventStore, PostgresSnapshots, States } from '@app/event-store';
import { migrateDeadlines } from '@app/scheduler';
import { migrateKeyUsage } from '@app/sites';
import { Closers } from './closers';
import { catalogue, projections } from './composition';
import type { Config } from './config';
import { databaseRefusal } from './database-refusal';

/** What a server process holds open, whatever its roles. */
export type Resources = Awaited<ReturnType<typeof openResources>>;

const log = new Logger('Database');
const DATABASE = 'harness';
const POOL_SIZE = 6;
const CONNECT_MS = 10_000;

/** Opens everything in the order in which it is needed; `close` ends it in the reverse order, and what failed half-way is closed as well. */
export const openResources = async (config: Config) => {
  const closers = new Closers();
  try {
    const connection = await openDatabase(config, closers);
    await migrate(connection).catch((error: unknown) => {
      throw config.databaseUrl === undefined ? error : databaseRefusal(config.databaseUrl, error);
    });
    const pool = new Pool({ ...connection, max: POOL_SIZE, application_name: 'harness' });
    pool.on('error', () => undefined);
    closers.push(() => pool.end());
    const store = new PostgresEventStore({ connection, catalogue });
    closers.push(() => store.close());
    await store.start();
    const executor = new Executor(store, new States(store, new PostgresSnapshots(pool)));
    const progress = new ProjectionProgress();
    const reads = await PostgresReadModels.connect({ connection, projections, progress });
    closers.push(() => reads.close());
    const control = new ProjectionsControl({ connection, store, projections });
    closers.push(() => control.close());
    return { connection, pool, store, executor, progress, reads, control, idempotency: new PostgresIdempotency(pool), close: closers.close };
  } catch (error) {
    await closers.close().catch((failure: unknown) => log.error(failure));
    throw error;
  }
};

const openDatabase = async ({ databaseUrl, dataDir }: Config, closers: Closers): Promise<Connection> => {
  if (databaseUrl !== undefined) return { connectionString: databaseUrl };
  const { host, port, user, stop } = await startPostgres({ dataDir, keepRunning: (sentence) => log.warn(sentence) });
  closers.push(stop);
  await createDatabase({ host, port, user, database: 'postgres' });
  return { host, port, user, database: DATABASE };
};

const createDatabase = async (connection: Exclude<Connection, { connectionString: string }>) => {
  const admin = new Client(connection);
  await admin.connect();
  try {
    const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE]);
    if (!rowCount) await admin.query(`CREATE DATABASE ${DATABASE}`);
  } finally {
    await admin.end();
  }
};

const migrate = async (connection: Connection) => {
  const client = new Client({ ...connection, connectionTimeoutMillis: CONNECT_MS });
  try {
    await client.connect();
    await migrateLog(client);
    await migrateProjections(client);
    await migrateHttp(client);
    await migrateKeyUsage(client);
    await migrateDeadlines(client);
  } finally {
    await client.end();
  }
};
