import { Query, type Context, type Outcome } from '@app/kernel';
import type { Content } from '../evaluate/evaluate.policy';
import type { EvaluationResult } from '../evaluate/evaluation.view';

export type RunEvaluation = { readonly constitutionHash: string | null; readonly results: readonly EvaluationResult[] };

/** What the constitution that a run was bound to at its start says about content; a hash of null and no results when none was in force then. */
export class EvaluateForRun extends Query<Outcome<RunEvaluation>> {
  constructor(
    readonly runId: string,
    readonly content: Content,
    readonly context: Pick<Context, 'siteId'>,
  ) {
    super();
  }
}
