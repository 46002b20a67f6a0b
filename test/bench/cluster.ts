import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Client } from 'pg';
import { product } from './product.ts';

export type Connection = { readonly host: string; readonly port: number; readonly user: string; readonly database: string };

/** The one PostgreSQL of a run: that of the product with the product's durable settings, one database for each contestant. */
export type Cluster = {
  readonly version: string;
  readonly settings: Readonly<Record<string, string>>;
  /** Creates a database. */
  database(name: string): Promise<Connection>;
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
    database: async (name) => {
      await admin.query(`CREATE DATABASE ${name}`);
      return at(name);
    },
    settle: async (databases) => {
      for (const connection of databases) await withClient(connection, (client) => client.query('VACUUM (ANALYZE)'));
      await admin.query('CHECKPOINT');
    },
    cpuSeconds: () => cpuSecondsOf(postmaster),
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

/** Linux counts in 1/100 s on every platform that Node runs on. */
const TICKS_PER_SECOND = 100;

type Stat = { readonly pid: string; readonly parent: string; readonly used: number; readonly ofEnded: number };

const statOf = (pid: string): Stat | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold spaces; the parent is the second field behind it, the four times are fields 12 to 15.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
    return { pid, parent: fields[1]!, used: user + system, ofEnded: endedUser + endedSystem };
  } catch {
    return undefined;
  }
};

const cpuSecondsOf = (postmaster: string): number => {
  if (!existsSync('/proc')) return Number.NaN;
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(statOf)
    .filter((stat) => stat !== undefined);
  const own = all.find(({ pid }) => pid === postmaster);
  const living = all.filter(({ parent }) => parent === postmaster).reduce((sum, { used }) => sum + used, 0);
  return own ? (own.used + own.ofEnded + living) / TICKS_PER_SECOND : Number.NaN;
};
