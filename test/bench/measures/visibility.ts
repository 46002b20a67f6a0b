import type { Bench } from '../bench.ts';
import { interleaved } from '../interleaved.ts';
import { claim, type Measure } from '../results.ts';
import { spreadOf } from '../statistics.ts';
import type { Round } from './contestants.ts';
import type { SeededLog } from './log.ts';
import { seriesOf } from './series.ts';

const EVENTS_PER_SECOND = 1_000;

/** P10. */
export const measureVisibility = async (bench: Bench, { connection, readModels, events }: SeededLog): Promise<Measure> => {
  const { rounds: count, roundMs, warmupMs } = bench.options;
  const follow = async () => {
    const round = await readModels.call<Round>('follow', { eventsPerSecond: EVENTS_PER_SECOND, roundMs, warmupMs });
    bench.progress(`append to read model: p50 ${round['p50']!.toFixed(2)} ms, p99 ${round['p99']!.toFixed(2)} ms`);
    return round;
  };
  const played = await interleaved([{ name: 'follow', round: follow }], count, () => bench.cluster.settle([connection]));
  const rounds = played.rounds.get('follow')!;
  const percentile = (key: string) => rounds.map((round) => round[key]!);
  const claimed = (key: string, atMost: number) => {
    const { median: value, min, max } = spreadOf(percentile(key));
    return claim(`P10 ${key}`, 'ms', { value, min, max }, { atMost });
  };
  return {
    id: 'P10',
    title: `Append to visible in the read model, at ${EVENTS_PER_SECOND} events/s`,
    turns: played.turns,
    series: ['p50', 'p99'].map((key) =>
      seriesOf(
        `Append to row, ${key}`,
        'ms',
        percentile(key).map((perSecond) => ({ perSecond })),
      ),
    ),
    claims: [claimed('p50', 10), claimed('p99', 50)],
    notes: [
      `${EVENTS_PER_SECOND / 2} appends of two events a second, on top of a log of ${events.toLocaleString('en-US')} events, with all read models maintained by the same process.`,
      'Counted from the moment an append is due, the durable commit included, until its row was read from the table; every append is followed. ' +
        'Append, projection and reading share one Node process.',
    ],
    missing: [],
  };
};
