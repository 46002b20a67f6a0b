import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { until } from './until';

const BINARY = '/usr/sbin/pgbouncer';
const PORT = 6432;
const run = promisify(execFile);

type Server = { readonly host: string; readonly port: number; readonly user: string; readonly database: string };
export type PgBouncer = Server & { stop(): Promise<void> };

/** A PgBouncer in transaction mode before a database, with `sessions` server sessions for all of its clients. It listens on a socket only. */
export const pgBouncer = async ({ host, port, user, database }: Server, sessions: number): Promise<PgBouncer> => {
  await installed();
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'));
  await writeFile(join(folder, 'users.txt'), `"${user}" ""\n`);
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    [
      '[databases]',
      `${database} = host=${host} port=${port} dbname=${database}`,
      '[pgbouncer]',
      `unix_socket_dir = ${folder}`,
      `listen_port = ${PORT}`,
      'listen_addr =',
      'auth_type = trust',
      `auth_file = ${join(folder, 'users.txt')}`,
      'pool_mode = transaction',
      `default_pool_size = ${sessions}`,
      'max_client_conn = 100',
      `logfile = ${join(folder, 'pgbouncer.log')}`,
    ].join('\n'),
  );
  // PgBouncer refuses to run as root; the account of PostgreSQL is one that may use its socket.
  const { uid, gid } = await stat(host);
  await chown(folder, uid, gid);
  const server = spawn(BINARY, ['-q', join(folder, 'pgbouncer.ini')], { ...(process.getuid?.() === 0 && { uid, gid }), stdio: 'ignore' });
  const exit = once(server, 'exit');
  const bouncer = { host: folder, port: PORT, user, database };
  const stop = async () => {
    server.kill('SIGKILL');
    await exit;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await until(
      () => answers(bouncer),
      (ready) => ready,
    );
  } catch (error) {
    const log = await readFile(join(folder, 'pgbouncer.log'), 'utf8').catch(() => 'no log');
    await stop();
    throw new Error(`PgBouncer does not let anybody through: ${log}`, { cause: error });
  }
  return { ...bouncer, stop };
};

const answers = async (server: Server): Promise<boolean> => {
  const client = new Client({ ...server, connectionTimeoutMillis: 1_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
};

const installed = async () => {
  if (existsSync(BINARY)) return;
  try {
    await run('apt-get', ['install', '-y', 'pgbouncer'], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
  } catch (error) {
    throw new Error(`This test needs PgBouncer at ${BINARY}. Install it as root: apt-get install -y pgbouncer`, { cause: error });
  }
};
