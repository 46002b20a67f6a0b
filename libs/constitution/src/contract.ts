import type { Rejected } from '@app/kernel';
import type { Content, Judgement } from './evaluate/evaluate.policy';
import type { JudgeEvaluator } from './evaluator.schema';

export { ActivatedConstitution } from './activate-constitution/activate-constitution.command';
export { BacktestConstitutionBody } from './backtest-constitution/backtest-constitution.command';
export { BacktestEvaluators, type BacktestRange, type EvaluatorsStep } from './backtest-constitution/backtest-evaluators.query';
export { ConstitutionBacktest, ConstitutionDifference } from './backtest-constitution/backtest.view';
export { constitutionEvents, type ConstitutionEvent } from './constitution.events';
export { constitution, type Constitution, type KnownConstitution } from './constitution.state';
export { ConstitutionView } from './constitution-list/constitution.view';
export { DraftConstitutionBody } from './draft-constitution/draft-constitution.command';
export { DryRunBody } from './dry-run-constitution/dry-run-constitution.command';
export { DryRun } from './dry-run-constitution/dry-run.view';
export { EvaluateForRun } from './evaluate-for-run/evaluate-for-run.query';
export { blockingFailures, evaluate, judgesFor, warnings, type Content, type Evaluated, type Judgement, type Tools } from './evaluate/evaluate.policy';
export { EvaluationResult } from './evaluate/evaluation.view';
export { evaluatePublish, type ConstitutionOverridden, type PublishVerdict } from './evaluate/publish-gate.policy';
export { Evaluator, Evaluators } from './evaluator.schema';

/** Asks a language model how well content follows a prompt. What it cannot answer it refuses; it never guesses a score. */
export abstract class LlmJudge {
  abstract judge(evaluator: JudgeEvaluator, content: Content): Promise<({ readonly ok: true } & Judgement) | Rejected>;
}
