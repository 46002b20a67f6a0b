import { startOwn, type Bench } from '../bench.ts';
import type { Measure } from '../results.ts';
import { measureBacktest } from './backtest.ts';
import { openGrownLog, type GrownLog } from './grown-log.ts';
import { growthMeasures, playAppends, playCalls, SMALL_EVENTS, type Sizes } from './log-size.ts';
import { measureLongRun } from './long-run.ts';
import { measureStart } from './start.ts';

/** The backtest reads every decision of a log several times, so it gets a part of it. */
const BACKTEST_SHARE = 5;

/** P13, P14, P15 and P17: one log that grows while it is measured, and a small one beside it. */
export const measureGrowth = async (bench: Bench): Promise<readonly Measure[]> => {
  const { only, grownEvents } = bench.options;
  const wanted = (...names: typeof only) => names.some((name) => only.includes(name));
  const measures: Measure[] = [];
  const big = wanted('backtest', 'growth', 'start') ? await openGrownLog(bench, 'bench_big') : undefined;
  if (big && wanted('backtest')) {
    const events = await big.grow(Math.ceil(grownEvents / BACKTEST_SHARE));
    measures.push(await measureBacktest(bench, big, events));
  }
  if (!wanted('growth', 'long-run', 'start')) return measures;
  const small = await openGrownLog(bench, 'bench_small');
  const smallEvents = await small.grow(SMALL_EVENTS);
  const sizes = big && wanted('growth', 'start') ? { small, big, smallEvents, bigEvents: await big.grow(grownEvents) } : undefined;
  const appends = sizes && wanted('growth') ? await playAppends(bench, sizes) : undefined;
  if (sizes) await catchUpBoth(bench, sizes);
  if (sizes && appends) measures.push(...growthMeasures(sizes, appends, await playCalls(bench, sizes)));
  if (wanted('long-run')) measures.push(await measureLongRun(bench, small));
  if (sizes && wanted('start')) measures.push(await measureStart(bench, sizes));
  return measures;
};

/** The read models know every event: what is measured next is no catching up. */
const catchUpBoth = async (bench: Bench, { small, big }: Sizes): Promise<void> => {
  for (const log of [small, big]) await catchUp(bench, log);
  await bench.cluster.settle([small.connection, big.connection]);
};

const catchUp = async (bench: Bench, { connection }: GrownLog): Promise<void> => {
  const models = await startOwn(bench, 'read-models', connection);
  try {
    bench.progress(`${connection.database}: read models catch up`);
    await models.call('start');
    await models.call('stop');
  } finally {
    await models.close();
  }
};
