import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Pool } from 'pg';
import { startPostgres } from '@app/database';
import { processesIn, signalTo, until } from '../e2e/machine';

/** A PostgreSQL of its own with the product's durable settings, that may be killed and comes back by itself. */
export type ChaosDatabase = {
  readonly connection: { readonly host: string; readonly port: number; readonly user: string; readonly database: string };
  /** For the checks: straight, past every fault. */
  readonly pool: Pool;
  /** SIGKILL to all of its processes; resolves when none is left. */
  kill(): Promise<void>;
  untilBack(): Promise<void>;
  close(): Promise<void>;
};

const DATABASE = 'harness';

export const startDatabase = async (tell: (sentence: string) => void = () => undefined): Promise<ChaosDatabase> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'harness-chaos-'));
  chmodSync(dataDir, 0o711);
  const { host, port, user, stop } = await startPostgres({ dataDir, keepRunning: tell, settings: { max_connections: '200' } });
  const admin = new Client({ host, port, user, database: 'postgres' });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${DATABASE}`);
  await admin.end();
  const connection = { host, port, user, database: DATABASE };
  const pool = new Pool({ ...connection, max: 3 });
  pool.on('error', () => undefined);
  const cluster = join(dataDir, 'postgres/cluster');
  return {
    connection, pool,
    kill: async () => {
      const killed = processesIn(cluster);
      for (const pid of killed) signalTo(pid, 'SIGKILL');
      await until(() => processesIn(cluster).every((pid) => !killed.includes(pid)), () => 'the end of the database', 20_000);
    },
    untilBack: async () => {
      await until(() => pool.query('SELECT 1').then(() => true, () => false), () => 'the database to be back', 60_000);
    },
    close: async () => {
      await pool.end();
      await stop();
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    },
  };
};
