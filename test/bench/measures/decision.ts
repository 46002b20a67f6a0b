import { startOwn, type Bench } from '../bench.ts';
import { interleaved } from '../interleaved.ts';
import { claim, type Measure } from '../results.ts';
import { spreadOf } from '../statistics.ts';
import type { Round } from './contestants.ts';
import { seriesOf } from './series.ts';

const DECISION = 'decideToolCall';

/** P7. */
export const measureDecision = async (bench: Bench): Promise<readonly Measure[]> => {
  const { only, rounds: count, warmupMs, roundMs } = bench.options;
  if (!only.includes('decision')) return [];
  const child = await startOwn(bench, 'decision', await bench.cluster.database('bench_decision'));
  try {
    const round = async () => {
      const result = await child.call<Round>('decide', { warmupMs, roundMs });
      bench.progress(`${DECISION}: ${result.perSecond.toFixed(2)} µs`);
      return result;
    };
    const { rounds, turns } = await interleaved([{ name: DECISION, round }], count);
    const each = rounds.get(DECISION)!;
    const { median: value, min, max } = spreadOf(each.map(({ perSecond }) => perSecond));
    return [
      {
        id: 'P7',
        title: 'Decision of the door with 100 policies and 200 grants',
        turns,
        series: [seriesOf(DECISION, 'µs', each)],
        claims: [claim('P7 one decision', 'µs', { value, min, max }, { atMost: 50 })],
        notes: [
          'The mean over a round, in one process, no database. All ten checks pass. Two fifths of the rules are about other tools and roles, three fifths look into the arguments (bound, list, pattern); only the last one speaks.',
        ],
        missing: [],
      },
    ];
  } finally {
    await child.close();
  }
};
