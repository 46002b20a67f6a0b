import { join } from 'node:path';
import type { Cluster, Connection } from './cluster.ts';
import { startContestant, type ContestantOptions, type ContestantProcess } from './contestant-process.ts';
import type { BenchOptions } from './options.ts';
import { peerFile, type Peers } from './peers.ts';

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
export const startOwn = (
  { options: { dist, profile } }: Bench,
  name: string,
  connection: Connection,
  { env = {} }: ContestantOptions = {},
): Promise<ContestantProcess> => {
  const flags =
    profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`, `--cpu-prof-name=${name}-${performance.now()}.cpuprofile`];
  return startContestant(join(import.meta.dirname, 'contestants', `${name}.ts`), { connection, dist }, { flags, env });
};

/** Starts a peer, `peers/<name>.mjs`. */
export const startPeer = (
  { options: { dist } }: Bench,
  name: string,
  connection: Connection,
  options?: ContestantOptions,
): Promise<ContestantProcess> => startContestant(peerFile(name), { connection, dist }, options);
