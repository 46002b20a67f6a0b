/** What one contestant scored, round by round. */
export type Spread = { readonly median: number; readonly min: number; readonly max: number };
/** `value` is the ratio of the medians; `min` and `max` are the least and the greatest ratio of two rounds that ran next to each other. */
export type Ratio = { readonly value: number; readonly min: number; readonly max: number };

/** The middle value; of an even number of values the mean of the two in the middle. */
export const median = (values: readonly number[]): number => {
  if (values.length === 0) throw new RangeError('Nothing has no median');
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
};

/** The smallest value that at least the share `q` of the values does not exceed. `sorted` must be in ascending order. */
export const percentile = (sorted: ArrayLike<number>, q: number): number => {
  if (sorted.length === 0) return Number.NaN;
  return sorted[Math.max(0, Math.ceil(sorted.length * q) - 1)]!;
};

export const spreadOf = (values: readonly number[]): Spread => ({
  median: median(values),
  min: Math.min(...values),
  max: Math.max(...values),
});

export const ratioOf = (values: readonly number[], reference: readonly number[]): Ratio => {
  if (values.length !== reference.length) throw new RangeError('Both sides of a ratio have the same number of rounds');
  const each = values.map((value, round) => value / reference[round]!);
  return { value: median(values) / median(reference), min: Math.min(...each), max: Math.max(...each) };
};
