import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Binaries } from './binaries';
import { EmbeddedPostgresError } from './embedded-postgres-error';

export const USER = 'app';

export type Run = (program: 'initdb' | 'pg_ctl', parameters: readonly string[]) => Promise<unknown>;

/** Inside the home, which is the working directory of every program: `pg_ctl` pastes paths into a shell line, and a home may have any name. */
export const CLUSTER = 'cluster';

/** Makes the cluster if there is none. It is initialised beside its place and renamed, so a crash in the middle never leaves half of one. */
export const ensureCluster = async (home: string, { major }: Binaries, run: Run, sync: boolean): Promise<void> => {
  const cluster = join(home, CLUSTER);
  if (existsSync(join(cluster, 'PG_VERSION'))) return assertMajor(cluster, major);
  const fresh = join(home, `${CLUSTER}.new`);
  rmSync(fresh, { recursive: true, force: true });
  await run('initdb', [
    '-D',
    `${CLUSTER}.new`,
    '-U',
    USER,
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C',
    ...(sync ? [] : ['--no-sync']),
  ]);
  renameSync(fresh, cluster);
  if (sync) syncDirectory(home);
};

const assertMajor = (cluster: string, major: string) => {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  if (found === major) return;
  throw new EmbeddedPostgresError(
    'other-version',
    `The data in ${cluster} belongs to PostgreSQL ${found}; this program brings PostgreSQL ${major}. Dump it with version ${found} and restore it into a new directory, or go back to the program that wrote it.`,
  );
};

const syncDirectory = (directory: string) => {
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
};

/** What a running server says of itself in its pid file: `starting`, `ready`, `stopping`; undefined without such a file. */
export const statusOf = (cluster: string): string | undefined => linesOf(join(cluster, 'postmaster.pid'))?.[7]?.trim();

/** The number in that file; undefined without one. */
export const postmasterOf = (cluster: string): number | undefined => Number(linesOf(join(cluster, 'postmaster.pid'))?.[0]) || undefined;

export const recordedOptionsOf = (cluster: string): string | undefined => linesOf(join(cluster, 'postmaster.opts'))?.[0];

const linesOf = (file: string) => {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return undefined;
  }
};

/**
 * Removes the pid files that a killed server left, if it is certain that no process works on the cluster any more. PostgreSQL itself asks
 * only whether the number is taken: by a zombie that no parent collects, or in a restarted container by somebody else, it would refuse
 * to start for ever. Every PostgreSQL process has the cluster as its working directory, and Linux shows that of every process of ours.
 */
export const forgetDeadServer = (cluster: string, socket: string): void => {
  if (process.platform !== 'linux') return;
  const left = [join(cluster, 'postmaster.pid'), `${socket}.lock`].filter((file) => existsSync(file));
  if (left.length === 0 || isWorkedOn(realpathSync(cluster))) return;
  for (const file of left) rmSync(file, { force: true });
};

const isWorkedOn = (cluster: string) =>
  readdirSync('/proc').some((entry) => {
    try {
      return /^\d+$/.test(entry) && readlinkSync(`/proc/${entry}/cwd`) === cluster;
    } catch {
      return false;
    }
  });
