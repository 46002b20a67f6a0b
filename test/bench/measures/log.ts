import { startOwn, type Bench } from '../bench.ts';
import type { Connection } from '../cluster.ts';
import type { ContestantProcess } from '../contestant-process.ts';
import type { Measure } from '../results.ts';
import { measureRebuild } from './rebuild.ts';
import { measureVerification } from './verification.ts';
import { measureVisibility } from './visibility.ts';

/** A log of many events, and the process that maintains its read models. */
export type SeededLog = {
  readonly connection: Connection;
  readonly events: number;
  readonly readModels: ContestantProcess;
  readonly tables: readonly string[];
};

export const measureLog = async (bench: Bench): Promise<readonly Measure[]> => {
  const { only, events } = bench.options;
  const wanted = [
    ['rebuild', measureRebuild],
    ['visibility', measureVisibility],
    ['verification', measureVerification],
  ] as const;
  if (!wanted.some(([name]) => only.includes(name))) return [];
  const connection = await bench.cluster.database('bench_log');
  const readModels = await startOwn(bench, 'read-models', connection);
  try {
    bench.progress(`seeding ${events} events`);
    await readModels.call('seed', events);
    await bench.cluster.settle([connection]);
    const tables = await readModels.call<readonly string[]>('start');
    const measures: Measure[] = [];
    for (const [name, measure] of wanted)
      if (only.includes(name)) measures.push(await measure(bench, { connection, events, readModels, tables }));
    await readModels.call('stop');
    return measures;
  } finally {
    await readModels.close();
  }
};
