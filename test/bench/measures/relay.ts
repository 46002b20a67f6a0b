import { startOwn, type Bench } from '../bench.ts';
import { interleaved } from '../interleaved.ts';
import { startNatsServer } from '../nats-server.ts';
import { claim, type Measure } from '../results.ts';
import { spreadOf } from '../statistics.ts';
import type { Round } from './contestants.ts';
import { seriesOf } from './series.ts';

const EVENTS_PER_SECOND = 1_000;
const TITLE = `Append to NATS subscriber, at ${EVENTS_PER_SECOND} events/s`;

/** P11. */
export const measureRelay = async (bench: Bench): Promise<readonly Measure[]> => {
  if (!bench.options.only.includes('relay')) return [];
  const nats = await startNatsServer();
  if (!nats) return [{ id: 'P11', title: TITLE, turns: [], series: [], claims: [], notes: [], missing: ['nats-server is not installed'] }];
  const connection = await bench.cluster.database('bench_relay');
  const relay = await startOwn(bench, 'relay', connection, { env: { BENCH_NATS_URL: nats.url } });
  try {
    await relay.call('start');
    const measure = await played(bench, () => relay.call<Round>('follow', { eventsPerSecond: EVENTS_PER_SECOND, ...timesOf(bench) }), () => bench.cluster.settle([connection]));
    await relay.call('stop');
    return [measure];
  } finally {
    await relay.close();
    await nats.stop();
  }
};

const timesOf = ({ options: { roundMs, warmupMs } }: Bench) => ({ roundMs, warmupMs });

const played = async (bench: Bench, follow: () => Promise<Round>, settle: () => Promise<void>): Promise<Measure> => {
  const round = async () => {
    const times = await follow();
    bench.progress(`append to NATS subscriber: p50 ${times['p50']!.toFixed(2)} ms, p99 ${times['p99']!.toFixed(2)} ms, ${times['clientCores']!.toFixed(2)} cores`);
    return times;
  };
  const { turns, rounds } = await interleaved([{ name: 'follow', round }], bench.options.rounds, settle);
  const percentile = (key: string) => rounds.get('follow')!.map((each) => each[key]!);
  const claimed = (key: string, atMost: number) => {
    const { median: value, min, max } = spreadOf(percentile(key));
    return claim(`P11 ${key}`, 'ms', { value, min, max }, { atMost });
  };
  return {
    id: 'P11', title: TITLE, turns,
    series: ['p50', 'p99'].map((key) => seriesOf(`Append to subscriber, ${key}`, 'ms', percentile(key).map((perSecond) => ({ perSecond })))),
    claims: [claimed('p50', 10), claimed('p99', 50)],
    notes: [
      `${EVENTS_PER_SECOND / 2} appends of two events a second. Counted from the moment an append is due, the durable commit included, until its last event is in the hands of a subscriber of the SDK; every append is followed.`,
      'The broker is a process of its own and stores on disk. Append, relay and subscriber share one Node process.',
    ],
    missing: [],
  };
};
