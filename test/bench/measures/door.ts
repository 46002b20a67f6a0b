import { startOwn, type Bench } from '../bench.ts';
import type { ContestantProcess } from '../contestant-process.ts';
import { interleaved } from '../interleaved.ts';
import { claim, type Measure } from '../results.ts';
import { ratioOf, spreadOf } from '../statistics.ts';
import type { Round } from './contestants.ts';
import { seriesOf } from './series.ts';
import { callRounds, startBareServer, startServer, withServerCpu, type RunningServer } from './servers.ts';

const OURS = 'Agent Harness';
const BARE = 'Fastify, the same two appends';
const DIRECT = 'Fastify, the handler alone';
const CLIENTS = 64;
const CALLS_PER_SECOND = 200;

/** P4 and P8: our server beside a bare one, each with a log of its own, and one process that is the clients of both. */
export const measureDoor = async (bench: Bench): Promise<readonly Measure[]> => {
  const { only } = bench.options;
  if (!only.includes('calls') && !only.includes('overhead')) return [];
  const load = await startOwn(bench, 'http-load', await bench.cluster.database('bench_load'));
  const servers: RunningServer[] = [];
  try {
    servers.push(await startServer(bench, await bench.cluster.database('bench_door')));
    servers.push(await startBareServer(bench, await bench.cluster.database('bench_bare')));
    const both = servers as [RunningServer, RunningServer];
    const measures: Measure[] = [];
    if (only.includes('calls')) measures.push(await measureCalls(bench, load, both));
    if (only.includes('overhead')) measures.push(await measureOverhead(bench, load, both));
    return measures;
  } finally {
    for (const server of servers) await server.close();
    await load.close();
  }
};

const settleBoth =
  ({ cluster }: Bench, servers: readonly RunningServer[]) =>
  () =>
    cluster.settle(servers.map(({ connection }) => connection));

/** P4. */
const measureCalls = async (
  bench: Bench,
  client: ContestantProcess,
  [ours, bare]: readonly [RunningServer, RunningServer],
): Promise<Measure> => {
  const contestant = async (name: string, server: RunningServer) => {
    const play = await callRounds(bench, client, server, CLIENTS, name === BARE);
    return {
      name,
      round: async () => {
        const round = await play();
        bench.progress(`${CLIENTS} clients: ${name} ${Math.round(round.perSecond)} calls/s`);
        return round;
      },
    };
  };
  const contestants = [await contestant(OURS, ours), await contestant(BARE, bare)];
  await interleaved(contestants, 1);
  const { rounds, turns } = await interleaved(contestants, bench.options.rounds, settleBoth(bench, [ours, bare]));
  const [governed, reference] = [OURS, BARE].map((name) => rounds.get(name)!.map(({ perSecond }) => perSecond)) as [number[], number[]];
  return {
    id: 'P4',
    title: `Governed safe call over HTTP, ${CLIENTS} clients`,
    turns,
    series: [...rounds].map(([name, each]) => seriesOf(name, 'calls/s', each)),
    claims: [claim('P4 governed calls/s ÷ ungoverned calls/s', '×', ratioOf(governed, reference), { atLeast: 0.5 })],
    notes: [
      'Ours: the server as it ships, one process that also maintains every read model meanwhile; authentication, ten checks, authorisation and outcome as two durable commits. The tool does nothing.',
      'The reference is Fastify with one route that makes the same two appends to a log of its own, through the same group commit and hash chain. It checks nothing, loads nothing and keeps no read model.',
      'A client sends its next call when the last one was answered. It takes sixteen runs in turn, opened before.',
    ],
    missing: [],
  };
};

/** P8. */
const measureOverhead = async (
  bench: Bench,
  client: ContestantProcess,
  [ours, bare]: readonly [RunningServer, RunningServer],
): Promise<Measure> => {
  const { rounds: count, warmupMs, roundMs } = bench.options;
  const contestant = (name: string, { process, site }: RunningServer, more: object) => ({
    name,
    round: async () => {
      const load = { perSecond: CALLS_PER_SECOND, warmupMs, roundMs };
      const round = await withServerCpu(bench, process, () => client.call<Round>('steadyCalls', { site, load, ...more }));
      bench.progress(`${CALLS_PER_SECOND} calls/s: ${name} p50 ${round['p50']!.toFixed(2)} ms, p99 ${round['p99']!.toFixed(2)} ms`);
      return round;
    },
  });
  const contestants = [
    contestant(OURS, ours, { direct: false }),
    contestant(DIRECT, bare, { bare: true, direct: true }),
    contestant(BARE, bare, { bare: true, direct: false }),
  ];
  await client.call('prepare', { site: ours.site });
  await client.call('prepare', { site: bare.site, bare: true });
  const { rounds, turns } = await interleaved(contestants, count, settleBoth(bench, [ours, bare]));
  const over = (key: 'p50' | 'p99', reference: string) => {
    const { median: value, min, max } = spreadOf(rounds.get(OURS)!.map((round, n) => round[key]! - rounds.get(reference)![n]![key]!));
    return { value, min, max };
  };
  return {
    id: 'P8',
    title: `Overhead of the door on a safe call, at ${CALLS_PER_SECOND} calls/s`,
    turns,
    series: [...rounds].flatMap(([name, each]) =>
      (['p50', 'p99'] as const).map((key) =>
        seriesOf(
          `${name}, ${key}`,
          'ms',
          each.map((round) => ({ perSecond: round[key]! })),
        ),
      ),
    ),
    claims: [
      claim('P8 p99 over the handler alone', 'ms', over('p99', DIRECT), { atMost: 5 }),
      claim('p50 over the handler alone', 'ms', over('p50', DIRECT)),
      claim('p99 over the same two appends', 'ms', over('p99', BARE)),
    ],
    notes: [
      'Calls fall due at a fixed rate, and the time of each counts from then. Both sides are reached over HTTP; ours makes two durable commits for each call. A figure is the difference of two percentiles of neighbouring rounds.',
    ],
    missing: [],
  };
};
