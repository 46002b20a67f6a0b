import { settingsFor, startOwn, type Bench } from '../bench.ts';
import type { Connection } from '../cluster.ts';
import { startContestant } from '../contestant-process.ts';
import { pgbench, pgbenchProgram } from '../contestants/pgbench.ts';
import { eventBytes } from '../payload.ts';
import { peerFile } from '../peers.ts';
import type { Load } from '../writers.ts';

/** A figure of one round; the names of further figures become columns of the report. */
export type Round = { readonly perSecond: number } & Readonly<Record<string, number>>;
export type Writer = { readonly name: string; readonly connection: Connection; load(load: Load): Promise<Round>; close(): Promise<void> };

export const OURS = 'Agent Harness';
export const EMMETT = 'Emmett 0.42.0';
export const MESSAGE_DB = 'message-db 1.3.1, one category';
export const MESSAGE_DB_64 = 'message-db 1.3.1, 64 categories';
export const CASTORE = 'Castore 2.4.2';
export const PGBENCH = 'pgbench';

const PEERS = [
  { name: EMMETT, file: 'emmett', env: {} },
  { name: MESSAGE_DB, file: 'message-db', env: {} },
  { name: MESSAGE_DB_64, file: 'message-db', env: { BENCH_CATEGORIES: '64' } },
  { name: CASTORE, file: 'castore', env: {} },
];

/** Everybody who can append on this machine, each with a database of its own. */
export const startWriters = async (bench: Bench): Promise<{ readonly writers: readonly Writer[]; readonly missing: readonly string[] }> => {
  const { cluster, peers, options, folder } = bench;
  const writers: Writer[] = [];
  const missing: string[] = [];
  const flags = options.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profile}`];
  const own = await cluster.database('bench_ours');
  writers.push(childWriter(OURS, own, startOwn(bench, 'event-store', own, flags), bench));
  for (const { name, file, env } of peers.ok ? PEERS : []) {
    const connection = await cluster.database(`bench_peer_${writers.length}`);
    writers.push(childWriter(name, connection, startContestant(peerFile(file), settingsFor(bench, connection), [], env), bench));
  }
  if (!peers.ok) missing.push(peers.reason);
  const program = pgbenchProgram();
  if (program === undefined) missing.push('pgbench was not found; on Debian it comes with the package postgresql-15.');
  else {
    const connection = await cluster.database('bench_pgbench');
    const { load } = await pgbench(program, connection, eventBytes(), folder);
    writers.push({ name: PGBENCH, connection, load: (of) => withPostgresCpu(bench, () => load(of)), close: () => Promise.resolve() });
  }
  return { writers, missing };
};

const childWriter = (name: string, connection: Connection, child: ReturnType<typeof startContestant>, bench: Bench): Writer => ({
  name, connection, load: (load) => withPostgresCpu(bench, () => child.call<Round>('load', load)), close: () => child.close(),
});

/** Adds how many cores PostgreSQL kept busy, warm-up included. */
const withPostgresCpu = async ({ cluster }: Bench, work: () => Promise<Round>): Promise<Round> => {
  const [used, from] = [cluster.cpuSeconds(), performance.now()];
  const round = await work();
  return { ...round, postgresCores: (cluster.cpuSeconds() - used) / ((performance.now() - from) / 1000) };
};
