import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startOwn, startPeer, type Bench } from '../bench.ts';
import type { Connection } from '../cluster.ts';
import { interleaved } from '../interleaved.ts';
import { peerProgram } from '../peers.ts';
import { claim, type Measure } from '../results.ts';
import { median, ratioOf } from '../statistics.ts';
import type { Round } from './contestants.ts';
import { seriesOf } from './series.ts';
import { startServer, withFamilyCpu, withServerCpu } from './servers.ts';

const OURS = 'Agent Harness';
const PEERS = [
  { name: 'DBOS 5.3.0', file: 'dbos', env: {}, program: undefined },
  { name: 'LangGraph 1.7.3 on PostgreSQL', file: 'langgraph', env: {}, program: undefined },
  { name: 'Restate 1.7.12', file: 'restate', env: { RESTATE_LOGGING: 'ERROR' }, program: peerProgram('restate-server') },
];
const CLIENTS = 16;

type Cycler = { readonly name: string; readonly connection: Connection; cycles(clients: number): Promise<Round> };
type Cyclers = { readonly all: readonly Cycler[]; readonly missing: readonly string[]; close(): Promise<void> };

/** P5 and P6. */
export const measureApprovals = async (bench: Bench): Promise<readonly Measure[]> => {
  const { only } = bench.options;
  if (!only.includes('approvals') && !only.includes('approval-latency')) return [];
  const cyclers = await startCyclers(bench);
  try {
    const measures: Measure[] = [];
    if (only.includes('approvals')) measures.push(await measureRate(bench, cyclers));
    if (only.includes('approval-latency')) measures.push(await measureLatency(bench, cyclers));
    return measures;
  } finally {
    await cyclers.close();
  }
};

/** Everybody who can hold a call for a person on this machine. One that cannot be started is left out, with its reason. */
const startCyclers = async (bench: Bench): Promise<Cyclers> => {
  const { cluster, peers, options } = bench;
  const all: Cycler[] = [];
  const missing: string[] = [];
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers) await closer();
  };
  const loadOf = (clients: number) => ({ clients, warmupMs: options.warmupMs, roundMs: options.roundMs });
  try {
    const own = await cluster.database('bench_approvals');
    const server = await startServer(bench, own);
    closers.push(server.close);
    const load = await startOwn(bench, 'http-load', own);
    closers.push(load.close);
    await load.call('prepare', { site: server.site, clients: CLIENTS });
    all.push({
      name: OURS,
      connection: own,
      cycles: (clients) =>
        withServerCpu(bench, server.process, () => load.call<Round>('cycles', { site: server.site, load: loadOf(clients) })),
    });
    for (const { name, file, env, program } of peers.ok ? PEERS : []) {
      if (program !== undefined && !existsSync(program)) {
        missing.push(`${name} has no program for ${process.platform} on ${process.arch} that npm could install.`);
        continue;
      }
      const connection = await cluster.database(`bench_${file}`);
      try {
        const peer = await startPeer(bench, file, connection, {
          env: { ...env, BENCH_FOLDER: join(bench.folder, file), ...(program !== undefined && { BENCH_PROGRAM: program }) },
        });
        closers.push(peer.close);
        await peer.call('cycles', { clients: 1, warmupMs: 0, roundMs: 1 });
        all.push({ name, connection, cycles: (clients) => withFamilyCpu(bench, peer, () => peer.call<Round>('cycles', loadOf(clients))) });
      } catch (error) {
        missing.push(`${name} could not be run here, and said why on standard error: ${(error as Error).message.split('\n')[0]}`);
      }
    }
    if (!peers.ok) missing.push(peers.reason);
    return { all, missing, close };
  } catch (error) {
    await close();
    throw error;
  }
};

const play = async (bench: Bench, { all }: Cyclers, clients: number) => {
  const contestants = all.map(({ name, cycles }) => ({
    name,
    round: async () => {
      const round = await cycles(clients);
      bench.progress(
        `${clients} client${clients > 1 ? 's' : ''}: ${name} ${Math.round(round.perSecond)} cycles/s, p50 ${round['p50']!.toFixed(1)} ms`,
      );
      return round;
    },
  }));
  // One turn that does not count, as everywhere.
  await interleaved(contestants, 1);
  return interleaved(contestants, bench.options.rounds, () => bench.cluster.settle(all.map(({ connection }) => connection)));
};

const NOTES = [
  'Ours, over HTTP: an agent asks for a dangerous call on a run and is told that it waits; a person approves it; the answer holds its outcome. Two requests, two identities, the server as it ships, read models maintained meanwhile; the load has a process of its own.',
  'DBOS: a workflow with a step, `recv` and a step, started, sent its message and awaited. LangGraph: a graph of three nodes, interrupted and resumed, each step stored before the next. Both are called in their own process, without HTTP, which favours them.',
  'Restate: a handler with two steps and an awakeable, started and resolved over HTTP on its own server with its shipped settings; it keeps its own log on the same disk, not in PostgreSQL. The peers decide no policy and authenticate nobody.',
];

/** P5. */
const measureRate = async (bench: Bench, cyclers: Cyclers): Promise<Measure> => {
  const { rounds, turns } = await play(bench, cyclers, CLIENTS);
  const rates = (name: string) => rounds.get(name)!.map(({ perSecond }) => perSecond);
  const peers = cyclers.all.map(({ name }) => name).filter((name) => name !== OURS);
  const best = peers.toSorted((a, b) => median(rates(b)) - median(rates(a)))[0];
  return {
    id: 'P5',
    title: `Full cycle of an approval, ${CLIENTS} clients`,
    turns,
    series: [...rounds].map(([name, each]) => seriesOf(name, 'cycles/s', each)),
    claims: [
      ...(best === undefined
        ? []
        : [claim(`P5 cycles/s ÷ the best of the others (${best})`, '×', ratioOf(rates(OURS), rates(best)), { atLeast: 5 })]),
      ...peers.filter((name) => name !== best).map((name) => claim(`cycles/s ÷ ${name}`, '×', ratioOf(rates(OURS), rates(name)))),
    ],
    notes: NOTES,
    missing: cyclers.missing,
  };
};

/** P6. */
const measureLatency = async (bench: Bench, cyclers: Cyclers): Promise<Measure> => {
  const { rounds, turns } = await play(bench, cyclers, 1);
  const times = (name: string) => rounds.get(name)!.map((round) => round['p50']!);
  const peers = cyclers.all.map(({ name }) => name).filter((name) => name !== OURS);
  const best = peers.toSorted((a, b) => median(times(a)) - median(times(b)))[0];
  return {
    id: 'P6',
    title: 'Full cycle of an approval, one client',
    turns,
    series: [...rounds].map(([name, each]) =>
      seriesOf(
        `${name}, p50`,
        'ms',
        each.map((round) => ({ ...round, perSecond: round['p50']! })),
      ),
    ),
    claims:
      best === undefined
        ? []
        : [claim(`P6 p50 ÷ the best of the others (${best})`, '×', ratioOf(times(OURS), times(best)), { atMost: 0.6 })],
    notes: [],
    missing: cyclers.missing,
  };
};
