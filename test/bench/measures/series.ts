import type { Series } from '../results.ts';
import { median, spreadOf } from '../statistics.ts';
import type { Round } from './contestants.ts';

/** The rounds of one contestant as a series of `perSecond × factor`; its other figures as medians. */
export const seriesOf = (name: string, unit: string, each: readonly Round[], factor = 1): Series => {
  const rounds = each.map(({ perSecond }) => perSecond * factor);
  const further = Object.keys(each[0] ?? {}).filter((key) => key !== 'perSecond');
  const details = Object.fromEntries(further.map((key) => [key, median(each.map((round) => round[key]!))]));
  return { name, unit, rounds, ...spreadOf(rounds), details };
};
