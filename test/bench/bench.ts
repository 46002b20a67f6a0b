import { join } from 'node:path';
import type { ChildSettings } from './child.ts';
import type { Cluster, Connection } from './cluster.ts';
import { startContestant, type ContestantProcess } from './contestant-process.ts';
import type { BenchOptions } from './options.ts';
import type { Peers } from './peers.ts';

/** What every measure works with. */
export type Bench = {
  readonly options: BenchOptions;
  readonly cluster: Cluster;
  readonly peers: Peers;
  /** Folder for files of the run itself. */
  readonly folder: string;
  readonly progress: (line: string) => void;
};

/** Starts one of our own contestants, `contestants/<name>.ts`. */
export const startOwn = (bench: Bench, name: string, connection: Connection, flags: readonly string[] = []): ContestantProcess =>
  startContestant(join(import.meta.dirname, 'contestants', `${name}.ts`), settingsFor(bench, connection), flags);

export const settingsFor = ({ options: { dist } }: Bench, connection: Connection): ChildSettings => ({ connection, dist });
