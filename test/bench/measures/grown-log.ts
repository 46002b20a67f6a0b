import { startOwn, type Bench } from '../bench.ts';
import type { Connection } from '../cluster.ts';
import type { ContestantProcess } from '../contestant-process.ts';
import type { Site } from '../protocol.ts';
import { startServer } from './servers.ts';

/** A log that began with real runs, made over HTTP, and grows by repeating them. Nobody is connected to its database between two growths. */
export type GrownLog = {
  readonly connection: Connection;
  readonly site: Site;
  /** Until it has so many events; gives how many it has. */
  grow(events: number): Promise<number>;
  /** An open run with so many calls behind it; gives its id. */
  longRun(calls: number): Promise<string>;
};

export const openGrownLog = async (bench: Bench, name: string): Promise<GrownLog> => {
  const connection = await bench.cluster.database(name);
  const server = await startServer(bench, connection);
  const load = await startOwn(bench, 'http-load', connection);
  let stories: unknown;
  try {
    stories = await load.call('stories', server.site);
  } finally {
    await load.close();
    await server.close();
  }
  const growing = async <T>(work: (log: ContestantProcess) => Promise<T>): Promise<T> => {
    const log = await startOwn(bench, 'log-of-runs', connection);
    try {
      await log.call('learn', stories);
      return await work(log);
    } finally {
      await log.close();
    }
  };
  return {
    connection,
    site: server.site,
    grow: (events) => {
      bench.progress(`${name}: growing to ${events} events`);
      return growing((log) => log.call<number>('grow', events));
    },
    longRun: (calls) => growing((log) => log.call<string>('longRun', calls)),
  };
};
