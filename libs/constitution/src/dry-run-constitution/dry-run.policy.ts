import { blockingFailures, warnings } from '../evaluate/evaluate.policy';
import type { EvaluationResult } from '../evaluate/evaluation.view';
import { severityOf, type Evaluator } from '../evaluator.schema';
import type { DryRun } from './dry-run.view';

/** Enough to see what is wrong; the tallies count the rest. */
const MAX_FINDINGS = 200;

export type ExaminedItem = { readonly collection: string; readonly itemId: string; readonly results: readonly EvaluationResult[] };
export type DryRunReport = Pick<DryRun, 'examined' | 'blocked' | 'warned' | 'evaluators' | 'findings'>;

export const dryRunReport = (evaluators: readonly Evaluator[], items: readonly ExaminedItem[]): DryRunReport => {
  const all = items.flatMap(({ collection, itemId, results }) => results.map((result) => ({ collection, itemId, result })));
  const failures = all.filter(({ result }) => !result.passed);
  const isBlocked = ({ results }: ExaminedItem) => blockingFailures(results).length > 0;
  return {
    examined: items.length,
    blocked: items.filter(isBlocked).length,
    warned: items.filter((item) => !isBlocked(item) && warnings(item.results).length > 0).length,
    evaluators: evaluators.map((evaluator) => ({
      evaluatorId: evaluator.id,
      severity: severityOf(evaluator),
      examined: all.filter(({ result }) => result.evaluatorId === evaluator.id).length,
      failed: failures.filter(({ result }) => result.evaluatorId === evaluator.id).length,
    })),
    findings: failures.slice(0, MAX_FINDINGS).map(({ collection, itemId, result: { evaluatorId, severity, detail } }) => ({ collection, itemId, evaluatorId, severity, detail })),
  };
};
