import { startOwn, startPeer, type Bench } from '../bench.ts';
import type { Connection } from '../cluster.ts';
import type { ContestantProcess } from '../contestant-process.ts';
import { pgbench, pgbenchProgram } from '../contestants/pgbench.ts';
import { eventBytes } from '../payload.ts';
import type { Load } from '../writers.ts';
import { endedChildrenCpuSeconds } from '../cpu.ts';

/** A figure of one round; the names of further figures become columns of the report. */
export type Round = { readonly perSecond: number } & Readonly<Record<string, number>>;
export type Writer = { readonly name: string; readonly connection: Connection; load(load: Load): Promise<Round> };

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

export type Writers = { readonly all: readonly Writer[]; readonly missing: readonly string[]; close(): Promise<void> };

/** Everybody who can append on this machine, each with a database of its own. */
export const startWriters = async (bench: Bench): Promise<Writers> => {
  const { cluster, peers, folder } = bench;
  const all: Writer[] = [];
  const missing: string[] = [];
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers) await closer();
  };
  const add = async (name: string, connection: Connection, starting: Promise<ContestantProcess>) => {
    const child = await starting;
    closers.push(child.close);
    all.push({ name, connection, load: (load) => withCpu(bench, () => child.call<Round>('load', load)) });
  };
  try {
    const own = await cluster.database('bench_ours');
    await add(OURS, own, startOwn(bench, 'event-store', own));
    for (const { name, file, env } of peers.ok ? PEERS : []) {
      const connection = await cluster.database(`bench_peer_${all.length}`);
      await add(name, connection, startPeer(bench, file, connection, { env }));
    }
    if (!peers.ok) missing.push(peers.reason);
    const program = pgbenchProgram();
    if (program === undefined) missing.push('pgbench was not found; on Debian it comes with the package postgresql-15.');
    else {
      const connection = await cluster.database('bench_pgbench');
      const { load } = await pgbench(program, connection, eventBytes(), folder);
      all.push({ name: PGBENCH, connection, load: (of) => withCpu(bench, () => load(of)) });
    }
    return { all, missing, close };
  } catch (error) {
    await close();
    throw error;
  }
};

/** Adds how many cores PostgreSQL kept busy, and those of a client that ended with the round; both warm-up included. */
const withCpu = async ({ cluster }: Bench, work: () => Promise<Round>): Promise<Round> => {
  const [postgres, ended, from] = [cluster.cpuSeconds(), endedChildrenCpuSeconds(), performance.now()];
  const round = await work();
  const seconds = (performance.now() - from) / 1000;
  const clientCores = round['clientCores'] ?? (endedChildrenCpuSeconds() - ended) / seconds;
  return { ...round, clientCores, postgresCores: (cluster.cpuSeconds() - postgres) / seconds };
};
