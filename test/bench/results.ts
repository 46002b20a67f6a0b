import type { Ratio, Spread } from './statistics.ts';

/** One figure of one contestant over all rounds. */
export type Series = Spread & {
  readonly name: string;
  readonly unit: string;
  readonly rounds: readonly number[];
  readonly details: Readonly<Record<string, number>>;
};

/** What is promised. `atLeast` for rates, `atMost` for times and for ratios of times. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** A promise and what became of it. `target` is absent where a comparison is only of interest. */
export type Claim = Ratio & { readonly text: string; readonly unit: string; readonly target?: Target; readonly met?: boolean };

export type Measure = {
  readonly id: string;
  readonly title: string;
  /** Who played when: A B A B. */
  readonly turns: readonly string[];
  readonly series: readonly Series[];
  readonly claims: readonly Claim[];
  /** How it was measured, and what else a reader must know to judge the figures. */
  readonly notes: readonly string[];
  /** Why there is no figure, or not every figure. */
  readonly missing: readonly string[];
};

export type Results = {
  readonly format: 1;
  readonly date: string;
  readonly quick: boolean;
  readonly options: Readonly<Record<string, number | string>>;
  readonly machine: Readonly<Record<string, number | string>>;
  readonly versions: Readonly<Record<string, string>>;
  readonly measures: readonly Measure[];
};

/** The target is judged by the median, never by the best round. */
export const claim = (text: string, unit: string, { value, min, max }: Ratio, target?: Target): Claim => ({
  text,
  unit,
  value,
  min,
  max,
  ...(target && { target, met: 'atLeast' in target ? value >= target.atLeast : value <= target.atMost }),
});
