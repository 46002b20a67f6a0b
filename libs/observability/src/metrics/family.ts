/** What a metric is called, means and is labelled with. `buckets` are the upper bounds of a histogram, without +Inf. */
export type Family = {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  readonly buckets?: readonly number[];
};

/**
 * One number of a metric. `values` belong to the labels of its family, in that order. `part` is empty for counters and gauges; a
 * histogram has the part `sum` and one part per bucket, named by its upper bound, that counts what fell into this bucket and no lower one.
 */
export type Sample = { readonly values: readonly string[]; readonly part: string; readonly value: number };

export const SUM = 'sum';
export const INFINITE = '+Inf';

/** The bucket that a value falls into. */
export const bucketOf = ({ buckets = [] }: Family, value: number): string => {
  const bound = buckets.find((upper) => value <= upper);
  return bound === undefined ? INFINITE : String(bound);
};
