import type { Bench } from '../bench.ts';
import { interleaved, type Played } from '../interleaved.ts';
import { eventBytes } from '../payload.ts';
import { claim, type Claim, type Measure } from '../results.ts';
import { ratioOf } from '../statistics.ts';
import { CASTORE, EMMETT, MESSAGE_DB, MESSAGE_DB_64, OURS, PGBENCH, type Round, type Writer, type Writers } from './contestants.ts';
import { seriesOf } from './series.ts';

const WRITERS = 64;
const EVENTS = 2;

const play = async (bench: Bench, writers: readonly Writer[], count: number): Promise<Played<Round>> => {
  const { rounds, warmupMs, roundMs } = bench.options;
  const contestants = writers.map(({ name, load }) => ({
    name,
    round: async () => {
      const round = withCpuPerAppend(await load({ writers: count, warmupMs, roundMs }));
      bench.progress(`${count} writer${count > 1 ? 's' : ''}: ${name} ${Math.round(round.perSecond)}/s`);
      return round;
    },
  }));
  // One turn that does not count: code is compiled, files have their first pages, the write-ahead log has segments to use again.
  await interleaved(
    writers.map(({ name, load }) => ({ name, round: () => load({ writers: count, warmupMs: 0, roundMs: warmupMs }) })),
    1,
  );
  return interleaved(contestants, rounds, () => bench.cluster.settle(writers.map(({ connection }) => connection)));
};

/** A neighbour on the machine takes away time but not work: this figure stays when rates fall. */
const withCpuPerAppend = (round: Round): Round => ({
  ...round,
  cpuMicros: ((round['clientCores']! + round['postgresCores']!) / round.perSecond) * 1e6,
});

/** P1 and P2. */
export const measureAppend = async (bench: Bench, { all, missing }: Writers): Promise<Measure> => {
  const { rounds, turns } = await play(bench, all, WRITERS);
  const appends = (name: string) => rounds.get(name)?.map(({ perSecond }) => perSecond);
  const ours = appends(OURS)!;
  const against = (name: string, text: string, target?: { readonly atLeast: number }, rowsPerAppend = 1): readonly Claim[] => {
    const reference = appends(name);
    if (!reference) return [];
    const rows = ours.map((rate) => rate * rowsPerAppend);
    return [claim(text, '×', ratioOf(rows, reference), target)];
  };
  return {
    id: 'P1, P2',
    title: `Append, ${WRITERS} writers × ${EVENTS} events of ${eventBytes()} bytes`,
    turns,
    series: [...rounds].map(([name, each]) =>
      seriesOf(name, name === PGBENCH ? 'rows/s' : 'events/s', each, name === PGBENCH ? 1 : EVENTS),
    ),
    claims: [
      ...against(EMMETT, 'P1 events/s ÷ Emmett events/s', { atLeast: 8 }),
      ...against(PGBENCH, 'P2 events/s ÷ pgbench rows/s', { atLeast: 3 }, EVENTS),
      ...against(PGBENCH, 'commits: appends/s ÷ pgbench transactions/s'),
      ...against(MESSAGE_DB, 'events/s ÷ message-db events/s, one category'),
      ...against(MESSAGE_DB_64, 'events/s ÷ message-db events/s, 64 categories'),
      ...against(CASTORE, 'events/s ÷ Castore events/s'),
    ],
    notes: [
      'Everybody stores the same two events and the same metadata, atomically, with an expected version; a new stream after 20 events.',
      'Ours: `append` of the public port, with validation against the catalogue, and the hash chain. Emmett: one append. ' +
        'message-db: two calls of `write_message` in one statement. Castore: one event group. pgbench: one row in a transaction, prepared.',
      'Emmett and Castore use their default pools of 10 connections (with 64, Emmett was as fast and Castore slower); message-db has a connection for each writer.',
      'Before each turn: vacuum, analyse, checkpoint. CPU is in cores; that of PostgreSQL and pgbench includes the warm-up.',
    ],
    missing,
  };
};

/** P3. */
export const measureLatency = async (bench: Bench, { all, missing }: Writers): Promise<Measure> => {
  const { rounds, turns } = await play(
    bench,
    all.filter(({ name }) => name !== MESSAGE_DB_64 && name !== PGBENCH),
    1,
  );
  const p50 = (name: string) => rounds.get(name)?.map((round) => round['p50']!);
  const emmett = p50(EMMETT);
  return {
    id: 'P3',
    title: `Append latency, one writer, ${EVENTS} events`,
    turns,
    series: [...rounds].map(([name, each]) =>
      seriesOf(
        `${name}, p50`,
        'ms',
        each.map((round) => ({ ...round, perSecond: round['p50']! })),
      ),
    ),
    claims: emmett ? [claim('P3 p50 ÷ Emmett p50', '×', ratioOf(p50(OURS)!, emmett), { atMost: 0.7 })] : [],
    notes: [],
    missing,
  };
};
