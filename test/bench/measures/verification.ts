import { startOwn, type Bench } from '../bench.ts';
import { interleaved } from '../interleaved.ts';
import { claim, type Measure } from '../results.ts';
import { ratioOf, spreadOf } from '../statistics.ts';
import type { Round } from './contestants.ts';
import type { SeededLog } from './log.ts';
import { seriesOf } from './series.ts';

const OURS = 'Verification of the chain';
const HASH = 'sha256 of the same bytes, one core';
const LEAVES = 'sha256 of each event by itself, one core';

/** P12. */
export const measureVerification = async (bench: Bench, { connection, events }: SeededLog): Promise<Measure> => {
  const [verifier, hasher] = [await startOwn(bench, 'chain', connection), await startOwn(bench, 'chain', connection)];
  try {
    const bytes = await hasher.call<number>('load', events);
    const contestants = [
      { name: OURS, round: () => verifier.call<Round>('verify') },
      { name: HASH, round: () => hasher.call<Round>('hash') },
      { name: LEAVES, round: () => hasher.call<Round>('hashEach') },
    ].map(({ name, round }) => ({
      name,
      round: async () => {
        const result = await round();
        bench.progress(`${name}: ${Math.round(result.perSecond)} events/s`);
        return result;
      },
    }));
    const { rounds, turns } = await interleaved(contestants, bench.options.logRounds, () => bench.cluster.settle([connection]));
    const [ours, hash, leaves] = [OURS, HASH, LEAVES].map((name) => rounds.get(name)!.map(({ perSecond }) => perSecond)) as [
      number[],
      number[],
      number[],
    ];
    const { median: value, min, max } = spreadOf(ours);
    return {
      id: 'P12',
      title: `Verification of a chain of ${events.toLocaleString('en-US')} events`,
      turns,
      series: [...rounds].map(([name, each]) => seriesOf(name, 'events/s', each)),
      claims: [
        claim('P12 verification ÷ sha256 of the same bytes', '×', ratioOf(ours, hash), { atLeast: 0.2 }),
        claim('verification ÷ sha256 of each event by itself', '×', ratioOf(ours, leaves)),
        claim('P12 verification', 'events/s', { value, min, max }, { atLeast: 100_000 }),
      ],
      notes: [
        `The same bytes are the canonical JSON of all events, ${Math.round(bytes / events)} bytes on average. The reference is a single hash over all of them, in memory: ` +
          'no database, no call for each event. The second reference hashes each event by itself, as a chain must, and is shown for comparison.',
        'The verification reads the log from the database and checks each leaf, root and link.',
      ],
      missing: [],
    };
  } finally {
    await verifier.close();
    await hasher.close();
  }
};
