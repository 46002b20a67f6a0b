import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** Where a run was made, and how busy that was. */
export const machine = () => ({
  processor: cpus()[0]?.model ?? 'unknown', cores: availableParallelism(), memoryGb: Math.round(totalmem() / 2 ** 30), load: Math.round(loadavg()[0]! * 10) / 10, node: process.version,
});
export type Machine = ReturnType<typeof machine>;
