import { startOwn, type Bench } from '../bench.ts';
import { interleaved } from '../interleaved.ts';
import { claim, type Measure } from '../results.ts';
import { ratioOf } from '../statistics.ts';
import type { Round } from './contestants.ts';
import type { GrownLog } from './grown-log.ts';
import { seriesOf } from './series.ts';
import { startServer } from './servers.ts';

const BACKTEST = 'Backtest over the whole log';
const REBUILD = 'Rebuild of all read models';

/** P13. The server only answers here; the process that rebuilds is the one that maintains the read models. */
export const measureBacktest = async (bench: Bench, { connection, site: known }: GrownLog, events: number): Promise<Measure> => {
  const models = await startOwn(bench, 'read-models', connection);
  const load = await startOwn(bench, 'http-load', connection);
  try {
    bench.progress(`${connection.database}: read models catch up`);
    await models.call('start');
    const server = await startServer(bench, connection, { roles: 'gateway', known });
    try {
      const contestants = [
        { name: BACKTEST, round: () => load.call<Round>('backtest', server.site) },
        { name: REBUILD, round: () => models.call<Round>('rebuild') },
      ].map(({ name, round }) => ({
        name,
        round: async () => {
          const result = await round();
          bench.progress(`${name}: ${Math.round(result.perSecond)} events/s`);
          return result;
        },
      }));
      const { rounds, turns } = await interleaved(contestants, bench.options.logRounds, () => bench.cluster.settle([connection]));
      const [backtest, rebuild] = [BACKTEST, REBUILD].map((name) => rounds.get(name)!.map(({ perSecond }) => perSecond)) as [
        number[],
        number[],
      ];
      return {
        id: 'P13',
        title: `Backtest of a log of ${events.toLocaleString('en-US')} events`,
        turns,
        series: [...rounds].map(([name, each]) => seriesOf(name, 'events/s', each)),
        claims: [claim('P13 backtest ÷ rebuild', '×', ratioOf(backtest, rebuild), { atLeast: 0.5 })],
        notes: [
          'The log is one site of real runs, repeated: three safe calls each, every fifth with one more that was approved. The backtest takes every decision again under two more rules that look into its arguments, over HTTP, while the server could answer others.',
          'Both rates count all events of the log. The backtest reads those of runs and of the governance alone; the rebuild reads all and writes every read model.',
        ],
        missing: [],
      };
    } finally {
      await server.close();
    }
  } finally {
    await models.call('stop').catch(() => undefined);
    await models.close();
    await load.close();
  }
};
