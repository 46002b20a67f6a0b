import type { Bench } from '../bench.ts';
import type { Measure } from '../results.ts';
export const measureLog = (_bench: Bench): Promise<readonly Measure[]> => Promise.resolve([]);
