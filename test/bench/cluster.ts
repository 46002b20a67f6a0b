import { readFileSync, rmSync } from 'node:fs';
import { Client } from 'pg';
import { familyCpuSeconds } from './cpu.ts';
import { product } from './product.ts';

export type Connection = { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

/** For `DATABASE_URL`: the host is the folder of a Unix socket. */
export const databaseUrl = ({ host, port, user, database }: Connection): string =>
  `postgres://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;

/** The one PostgreSQL of a run: that of the product with the product's durable settings, one database for each contestant. */
export type Cluster = {
  readonly version: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Creates a database, as a copy of another one if that is given; nobody may be connected to it. */
  database(name: string, like?: Connection): Promise<Connection>;
  /** Statistics are fresh, dirty pages are on disk and the next checkpoint is far: every turn begins alike. */
  settle(databases: readonly Connection[]): Promise<void>;
  /** CPU seconds that PostgreSQL has used so far, ended sessions included; NaN where there is no /proc. */
  cpuSeconds(): number;
  stop(): Promise<void>;
};

const SETTINGS = [
  'server_version',
  'data_directory',
  'fsync',
  'synchronous_commit',
  'full_page_writes',
  'wal_sync_method',
  'shared_buffers',
  'max_wal_size',
];

export const startCluster = async (dist: string, dataDir: string): Promise<Cluster> => {
  const { startPostgres } = await product(dist).database();
  const server = await startPostgres({ dataDir, settings: { max_connections: '400' } });
  const at = (database: string): Connection => ({ host: server.host, port: server.port, user: server.user, database });
  const admin = new Client(at('postgres'));
  await admin.connect();
  const { rows } = await admin.query<{ name: string; setting: string }>(
    'SELECT name, current_setting(name) AS setting FROM pg_settings WHERE name = ANY ($1)',
    [SETTINGS],
  );
  const {
    server_version: version = '',
    data_directory: folder = '',
    ...settings
  } = Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  if (settings['fsync'] !== 'on' || settings['synchronous_commit'] !== 'on') throw new Error('The benchmark needs durable commits');
  // A vacuum that one contestant's rows set off must not run in another one's round; each turn begins with a vacuum instead.
  await admin.query('ALTER SYSTEM SET autovacuum = off');
  await admin.query('SELECT pg_reload_conf()');
  const postmaster = readFileSync(`${folder}/postmaster.pid`, 'utf8').split('\n')[0]!;
  return {
    version,
    settings,
    database: async (name, like) => {
      await admin.query(`CREATE DATABASE ${name}${like ? ` TEMPLATE ${like.database}` : ''}`);
      return at(name);
    },
    settle: async (databases) => {
      for (const connection of databases) await withClient(connection, (client) => client.query('VACUUM (ANALYZE)'));
      await admin.query('CHECKPOINT');
    },
    cpuSeconds: () => familyCpuSeconds(postmaster),
    stop: async () => {
      await admin.end();
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

export const withClient = async <T>(connection: Connection, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client(connection);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};
