import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Bench } from '../bench.ts';
import { databaseUrl, type Connection } from '../cluster.ts';
import { MASTER_KEY } from '../protocol.ts';
import { interleaved } from '../interleaved.ts';
import { claim, type Measure } from '../results.ts';
import { spreadOf } from '../statistics.ts';
import type { Round } from './contestants.ts';
import type { Sizes } from './log-size.ts';
import { seriesOf } from './series.ts';
import { untilReady } from './servers.ts';

/** P17. */
export const measureStart = async (bench: Bench, { small, big, smallEvents, bigEvents }: Sizes): Promise<Measure> => {
  const contestant = (events: number, { connection }: { readonly connection: Connection }) => ({
    name: `on ${events.toLocaleString('en-US').replaceAll(',', ' ')} events`,
    round: async (): Promise<Round> => {
      const seconds = await startOnce(bench, connection);
      bench.progress(`start on ${connection.database}: ${seconds.toFixed(2)} s`);
      return { perSecond: seconds };
    },
  });
  const [onBig, onSmall] = [contestant(bigEvents, big), contestant(smallEvents, small)];
  // What a first start may have to make up for, such as deadlines that were never looked at, is no part of a start.
  await interleaved([onBig, onSmall], 1);
  const { rounds, turns } = await interleaved([onBig, onSmall], bench.options.rounds, () =>
    bench.cluster.settle([small.connection, big.connection]),
  );
  const { median: value, min, max } = spreadOf(rounds.get(onBig.name)!.map(({ perSecond }) => perSecond));
  return {
    id: 'P17',
    title: 'Start until ready',
    turns,
    series: [...rounds].map(([name, each]) => seriesOf(`Start ${name}`, 's', each)),
    claims: [claim('P17 start on the big log', 's', { value, min, max }, { atMost: 3 })],
    notes: [
      'From the start of a new process, as `npm start` starts it after its build, until `/health/ready` says yes: the log takes writes and every read model has caught up. PostgreSQL is running already and its files are in memory.',
    ],
    missing: [],
  };
};

/** Seconds from nothing to ready. */
const startOnce = async ({ options: { dist }, folder }: Bench, connection: Connection): Promise<number> => {
  const source = join(dist, 'apps/gateway/src');
  const from = performance.now();
  const server = spawn(process.execPath, ['--import', join(source, 'source-maps.js'), join(source, 'main.js')], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl(connection),
      PORT: '0',
      HARNESS_DATA_DIR: join(folder, connection.database),
      HARNESS_MASTER_KEY: MASTER_KEY,
      HARNESS_SEED: 'none',
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(server, 'exit');
  try {
    const lines = createInterface({ input: server.stdout });
    for await (const line of lines) {
      const url = /ready at (\S+)/.exec(line)?.[1];
      if (url === undefined) continue;
      await untilReady(url);
      return (performance.now() - from) / 1000;
    }
    throw new Error('The server ended before it was ready');
  } finally {
    server.kill('SIGTERM');
    await exited;
  }
};
