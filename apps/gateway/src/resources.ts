import { Logger } from '@nestjs/common';
import { Client, Pool } from 'pg';
import { PostgresReadModels, ProjectionProgress, ProjectionsControl } from '@app/projections';
import { PostgresIdempotency } from '@app/http';
import { startPostgres, type Connection } from '@app/database';
import { Liveness } from '@app/liveness';
import { Executor, PostgresEventStore, PostgresSnapshots, States } from '@app/event-store';
import { DomainSpans, ProcessMetrics, startTracing } from '@app/observability';
import { NatsHeads, NatsLink } from '@app/nats';
import { PgBossQueue } from '@app/queue';
import { masterKeyFrom, masterKeyIn, rotateMasterKey, Vault } from '@app/vault';
import { sparingly } from '../../worker/src/sparingly';
import { Closers } from './closers';
import { FORGETTING, sealedPayloads } from './sealed-payloads';
import { catalogue, projections } from './composition';
import type { Config } from './config';
import { databaseRefusal } from './database-refusal';
import { migrate } from './migrate';

/** What a server process holds open, whatever its roles. */
export type Resources = Awaited<ReturnType<typeof openResources>>;

const log = new Logger('Database');
const DATABASE = 'harness';
const POOL_SIZE = 6;
const KEY_POOL_SIZE = 2;

/** Opens everything in the order in which it is needed; `close` ends it in the reverse order, and what failed half-way is closed as well. */
export const openResources = async (config: Config) => {
  const closers = new Closers();
  try {
    const traces = config.traces && (await startTracing(config.traces));
    if (traces) closers.push(traces.stop);
    const spans = traces && new DomainSpans(traces.tracer);
    const connection = await openDatabase(config, closers);
    await migrate(connection).catch((error: unknown) => {
      throw config.databaseUrl === undefined ? error : databaseRefusal(config.databaseUrl, error);
    });
    const pool = new Pool({ ...connection, max: POOL_SIZE, application_name: 'harness' });
    pool.on('error', () => undefined);
    closers.push(() => pool.end());
    const liveness = new Liveness(pool, { expiresMs: config.heartbeatExpiresMs, onError: (error) => log.warn(`A heartbeat of this process was not stored: ${String(error)}`) });
    closers.push(() => liveness.stop());
    await liveness.start();
    const vault = await openVault(config, pool);
    const keys = new Pool({ ...connection, max: KEY_POOL_SIZE, application_name: 'harness keys' });
    keys.on('error', () => undefined);
    closers.push(() => keys.end());
    const payloads = vault.payloadsOn(keys);
    const metrics = new ProcessMetrics(pool);
    closers.push(() => Promise.resolve(metrics.stop()));
    const nats = openNats(config, closers);
    const store = new PostgresEventStore({ connection, catalogue, heads: nats && new NatsHeads(nats), queue: { observer: metrics.appends }, sealing: { payloads: sealedPayloads, subjects: payloads, forgetting: FORGETTING } });
    closers.push(() => store.close());
    await store.start();
    const executor = new Executor(store, new States(store, new PostgresSnapshots(pool)), { observer: { guardMoved: metrics.guardMoved, ...(spans && { decision: spans.decision }) } });
    const progress = new ProjectionProgress();
    const reads = await PostgresReadModels.connect({ connection, projections, progress });
    closers.push(() => reads.close());
    const control = new ProjectionsControl({ connection, store, projections });
    closers.push(() => control.close());
    const queue = config.queue === 'on' ? openQueue(pool, closers) : null;
    return { connection, nats, pool, liveness, vault, payloads, store, executor, progress, reads, control, queue, idempotency: new PostgresIdempotency(pool), metrics, traces, spans, close: closers.close };
  } catch (error) {
    await closers.close().catch((failure: unknown) => log.error(failure));
    throw error;
  }
};

/** It starts by itself while the rest does. Closed first: running jobs use all that was opened before. */
const openQueue = (pool: Pool, closers: Closers): PgBossQueue => {
  const warn = sparingly((sentence) => log.warn(sentence));
  const queue = new PgBossQueue({ db: pool, onError: (error) => warn(`Queue: ${String(error)}`) });
  closers.push(() => queue.stop());
  return queue;
};

/** It connects by itself while the rest starts: nothing waits for a message broker. */
const openNats = ({ natsUrl }: Config, closers: Closers): NatsLink | undefined => {
  if (natsUrl === undefined) return undefined;
  const broker = new Logger('Nats');
  const link = new NatsLink({ url: natsUrl, name: `harness ${process.pid}`, onChange: (state, sentence) => (state === 'connected' ? broker.log(sentence) : broker.warn(sentence)) }).start();
  closers.push(() => link.stop());
  return link;
};

const openVault = async ({ masterKey, masterKeyCommand, previousMasterKey, dataDir }: Config, pool: Pool): Promise<Vault> => {
  const key = masterKey ?? (masterKeyCommand === undefined ? await masterKeyIn(dataDir) : await masterKeyFrom(masterKeyCommand));
  if (previousMasterKey) {
    const count = await rotateMasterKey(pool, previousMasterKey, key);
    if (count > 0) log.log(`${count} keys are wrapped by the new master key; HARNESS_PREVIOUS_MASTER_KEY is needed no longer.`);
  }
  const vault = new Vault(pool, key);
  await vault.start();
  return vault;
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
