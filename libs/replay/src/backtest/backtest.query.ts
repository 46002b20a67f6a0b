import type { ConstitutionDifference } from '@app/constitution/contract';
import { Query } from '@app/kernel';
import { z } from 'zod';
import type { Range } from '../moment/moment.policy';
import type { BacktestDifference } from './backtest.view';
import { Candidate } from './candidate.schema';

export type BacktestStep =
  | { readonly step: 'progress'; readonly data: { readonly position: string; readonly head: string; readonly examined: number; readonly differing: number } }
  | { readonly step: 'difference'; readonly data: BacktestDifference | ConstitutionDifference }
  | { readonly step: 'result'; readonly data: { readonly examined: number; readonly differing: number; /** Decisions that cannot be taken again, because what was asked was forgotten. */ readonly forgotten?: number; readonly position: string } };

/**
 * Asks a candidate about every recorded decision, and its constitution about every write of content, each in the world it was taken in: what would have followed from a changed decision is not
 * made up. The last step is the result. Nothing is written; aborting ends the steps.
 */
export class Backtest extends Query<AsyncIterable<BacktestStep>> {
  constructor(
    readonly siteId: string,
    readonly candidate: Candidate,
    readonly range: Range,
    readonly signal: AbortSignal,
  ) {
    super();
  }
}

const bound = z.string().min(1).max(40).describe('A log position, or an instant in ISO 8601; the ends belong to the range');
export const BacktestBody = z.strictObject({ candidate: Candidate, from: bound.optional(), to: bound.optional() }).meta({ id: 'Backtest' });
export type BacktestBody = z.infer<typeof BacktestBody>;
