import { reject, type Rejected } from '@app/kernel';
import { severityOf, type Evaluator, type JudgeEvaluator, type RuleEvaluator } from '../evaluator.schema';
import type { EvaluationResult } from './evaluation.view';
import { valuesAt } from './field-path.policy';
import { ruleProblem, type Matcher } from './rule.policy';

/** One piece of content: an item of a collection, or an artifact of a type. */
export type Content = { readonly collection?: string | undefined; readonly artifactType?: string | undefined; readonly data: unknown };
/** What a judge said; `score` is 0 to 1. */
export type Judgement = { readonly score: number; readonly reason: string };
export type Tools = {
  readonly matches: Matcher;
  /** By evaluator id. A judge in scope that is not in here makes the evaluation fail as a whole. */
  readonly judged?: ReadonlyMap<string, Judgement>;
};
export type Evaluated = { readonly ok: true; readonly results: readonly EvaluationResult[] } | Rejected;

export const appliesTo = ({ scope = {} }: Pick<Evaluator, 'scope'>, { collection, artifactType }: Content): boolean =>
  (scope.collection === undefined || scope.collection === collection) && (scope.artifactType === undefined || scope.artifactType === artifactType);

/** The judges whose opinion is needed before content can be evaluated. */
export const judgesFor = (evaluators: readonly Evaluator[], content: Content): readonly JudgeEvaluator[] =>
  evaluators.filter((each): each is JudgeEvaluator => each.type === 'llm_judge' && appliesTo(each, content));

export const noLlm = (evaluatorId: string): Rejected =>
  reject('unavailable', 'LLM_NOT_CONFIGURED', `The evaluator ${evaluatorId} asks a language model and this server has none configured.`, { evaluatorId });

/** One result per evaluator in scope, in their order. Pure: the same evaluators, content and judgements give the same results. */
export const evaluate = (evaluators: readonly Evaluator[], content: Content, { matches, judged }: Tools): Evaluated => {
  const results: EvaluationResult[] = [];
  for (const evaluator of evaluators) {
    if (!appliesTo(evaluator, content)) continue;
    const judgement = evaluator.type === 'rule' ? applied(evaluator, content.data, matches) : judged?.get(evaluator.id);
    if (!judgement) return noLlm(evaluator.id);
    const { id, type, threshold = 1 } = evaluator;
    const passed = judgement.score >= threshold;
    results.push({ evaluatorId: id, type, severity: severityOf(evaluator), passed, score: judgement.score, threshold, detail: passed ? null : judgement.reason });
  }
  return { ok: true, results };
};

/** The share of the values under the path that hold; the reason is that of the first that does not. */
const applied = (evaluator: RuleEvaluator, data: unknown, matches: Matcher): Judgement => {
  const found = valuesAt(data, evaluator.field);
  const problems = (found.length === 0 ? [undefined] : found).map((value) => ruleProblem(evaluator, value, matches));
  return { score: problems.filter((problem) => problem === null).length / problems.length, reason: problems.find((problem) => problem !== null) ?? '' };
};

const failedWith = (severity: EvaluationResult['severity']) => (results: readonly EvaluationResult[]) =>
  results.filter((result) => !result.passed && result.severity === severity);

export const blockingFailures = failedWith('blocking');
export const warnings = failedWith('warning');
