import { startOwn, type Bench } from '../bench.ts';
import { interleaved } from '../interleaved.ts';
import { claim, type Measure } from '../results.ts';
import { ratioOf } from '../statistics.ts';
import type { Round } from './contestants.ts';
import type { GrownLog } from './grown-log.ts';
import { seriesOf } from './series.ts';
import { startServer, untilAtRest } from './servers.ts';

const EARLIER = 5_000;
/** A fresh run is left for the next one after so many calls. */
const PER_RUN = 20;
const LONG = `after ${EARLIER.toLocaleString('en-US').replaceAll(',', ' ')} earlier calls`;
const FRESH = 'in a fresh run';

/** P15. */
export const measureLongRun = async (bench: Bench, log: GrownLog): Promise<Measure> => {
  const { connection, site: known } = log;
  const runId = await log.longRun(EARLIER);
  const client = await startOwn(bench, 'http-load', connection);
  const server = await startServer(bench, connection, { known });
  try {
    await untilAtRest(server);
    const load = { clients: 1, warmupMs: 0, roundMs: bench.options.roundMs };
    const contestant = (name: string, run: object) => ({
      name,
      round: async () => {
        const round = await client.call<Round>('callsOnRun', { site: server.site, perRun: PER_RUN, load, ...run });
        bench.progress(`call ${name}: p50 ${round['p50']!.toFixed(2)} ms`);
        return round;
      },
    });
    const contestants = [contestant(LONG, { runId }), contestant(FRESH, {})];
    await interleaved(contestants, 1);
    const { rounds, turns } = await interleaved(contestants, bench.options.rounds);
    const times = (name: string, key: string) => rounds.get(name)!.map((round) => round[key]!);
    return {
      id: 'P15',
      title: `Growth: a call ${LONG} of its run, and one ${FRESH}`,
      turns,
      series: [...rounds].map(([name, each]) => seriesOf(`Call ${name}, p50`, 'ms', each)),
      claims: [
        claim('P15 p50, long run ÷ fresh run', '×', ratioOf(times(LONG, 'p50'), times(FRESH, 'p50')), { atMost: 1.3 }),
        claim('p99, long run ÷ fresh run', '×', ratioOf(times(LONG, 'p99'), times(FRESH, 'p99'))),
      ],
      notes: [
        `One client, one call after the other. A fresh run is left after ${PER_RUN} calls. The first call on the long run, which reads its history once, is in the turn that does not count.`,
      ],
      missing: [],
    };
  } finally {
    await server.close();
    await client.close();
  }
};
