import { startOwn, type Bench } from '../bench.ts';
import type { Connection } from '../cluster.ts';
import { interleaved, type Played } from '../interleaved.ts';
import { claim, type Measure } from '../results.ts';
import { ratioOf } from '../statistics.ts';
import type { Round } from './contestants.ts';
import type { GrownLog } from './grown-log.ts';
import { seriesOf } from './series.ts';
import { callRounds, startServer, untilAtRest, type RunningServer } from './servers.ts';

export const SMALL_EVENTS = 10_000;
const CLIENTS = 64;

export type Sizes = { readonly small: GrownLog; readonly big: GrownLog; readonly smallEvents: number; readonly bigEvents: number };

const grouped = (events: number) => events.toLocaleString('en-US').replaceAll(',', ' ');
const onSmall = ({ smallEvents }: Sizes) => `on ${grouped(smallEvents)} events`;
const onBig = ({ bigEvents }: Sizes) => `on ${grouped(bigEvents)} events`;

/** A round adds tens of thousands of events, so each one on the small log has a fresh copy of it. Nobody is projecting meanwhile. */
export const playAppends = async (bench: Bench, sizes: Sizes): Promise<Played<Round>> => {
  const { logRounds, roundMs, warmupMs } = bench.options;
  let copies = 0;
  const append = async (connection: Connection, name: string) => {
    const store = await startOwn(bench, 'event-store', connection);
    try {
      const round = await store.call<Round>('load', { writers: CLIENTS, roundMs, warmupMs });
      bench.progress(`append ${name}: ${Math.round(round.perSecond)} appends/s`);
      return round;
    } finally {
      await store.close();
    }
  };
  const copy = () => bench.cluster.database(`bench_small_${++copies}`, sizes.small.connection);
  const contestants = [
    { name: onSmall(sizes), round: async () => append(await copy(), onSmall(sizes)) },
    { name: onBig(sizes), round: () => append(sizes.big.connection, onBig(sizes)) },
  ];
  return interleaved(contestants, logRounds, () => bench.cluster.settle([sizes.small.connection, sizes.big.connection]));
};

export const playCalls = async (bench: Bench, sizes: Sizes): Promise<Played<Round>> => {
  const { small, big } = sizes;
  const servers: RunningServer[] = [];
  const load = await startOwn(bench, 'http-load', small.connection);
  try {
    const contestants = [];
    for (const [name, { connection, site: known }] of [
      [onSmall(sizes), small],
      [onBig(sizes), big],
    ] as const) {
      const server = await startServer(bench, connection, { known });
      servers.push(server);
      await untilAtRest(server);
      const play = await callRounds(bench, load, server, CLIENTS);
      contestants.push({
        name,
        round: async () => {
          const round = await play();
          bench.progress(`${CLIENTS} clients ${name}: ${Math.round(round.perSecond)} calls/s`);
          return round;
        },
      });
    }
    await interleaved(contestants, 1);
    const played = await interleaved(contestants, bench.options.rounds, () => bench.cluster.settle([small.connection, big.connection]));
    for (const server of servers) await untilAtRest(server);
    return played;
  } finally {
    for (const server of servers) await server.close();
    await load.close();
  }
};

/** P14: appends and calls are two measures, since nobody takes turns with both. */
export const growthMeasures = (sizes: Sizes, appends: Played<Round>, calls: Played<Round>): readonly Measure[] => {
  const measure = (what: string, unit: string, { rounds, turns }: Played<Round>, notes: readonly string[]): Measure => {
    const rates = (name: string) => rounds.get(name)!.map(({ perSecond }) => perSecond);
    return {
      id: `P14, ${what}s`,
      title: `Growth: ${what} rate ${onBig(sizes)} and ${onSmall(sizes)}`,
      turns,
      series: [...rounds].map(([name, each]) => seriesOf(`${what[0]!.toUpperCase()}${what.slice(1)} ${name}`, unit, each)),
      claims: [claim(`P14 ${what} rate, big log ÷ small log`, '×', ratioOf(rates(onBig(sizes)), rates(onSmall(sizes))), { atLeast: 0.9 })],
      notes,
      missing: [],
    };
  };
  return [
    measure('append', 'appends/s', appends, [
      `${CLIENTS} writers, two events each time, as in P1. A round on the small log has a fresh copy of it; those on the big one add to it. Nobody keeps read models meanwhile.`,
      `The big log had ${grouped(sizes.bigEvents)} events when the rounds began. The promise speaks of 10 000 000; \`--grown-events 10000000\` measures that, and takes twelve minutes in all.`,
    ]),
    measure('call', 'calls/s', calls, [`${CLIENTS} clients, as in P4, on two servers. The small log grows by what its own calls add.`]),
  ];
};
