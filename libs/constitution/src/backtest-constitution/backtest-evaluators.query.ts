import { Query, type Rejected } from '@app/kernel';
import type { Evaluator } from '../evaluator.schema';
import type { ConstitutionDifference } from './backtest.view';

type Bound = { readonly position: bigint } | { readonly time: string };
/** Both ends belong to it. */
export type BacktestRange = { readonly from?: Bound | undefined; readonly to?: Bound | undefined };

/** `refused`: a judge could not be asked, so there is no result. */
export type EvaluatorsStep =
  | { readonly step: 'progress'; readonly data: { readonly position: string; readonly head: string; readonly examined: number; readonly differing: number } }
  | { readonly step: 'difference'; readonly data: ConstitutionDifference }
  | { readonly step: 'refused'; readonly data: Rejected }
  | { readonly step: 'result'; readonly data: { readonly examined: number; readonly differing: number; readonly position: string } };

/** How evaluators that are no version of the site yet would have judged what was written. Nothing is written; aborting ends the steps. */
export class BacktestEvaluators extends Query<AsyncIterable<EvaluatorsStep>> {
  constructor(
    readonly siteId: string,
    readonly evaluators: readonly Evaluator[],
    readonly range: BacktestRange,
    readonly signal: AbortSignal,
  ) {
    super();
  }
}
