import { reject, type Rejected } from '@app/kernel';
import type { KnownConstitution } from '../constitution.state';
import { blockingFailures, evaluate, type Content, type Tools } from './evaluate.policy';
import type { EvaluationResult } from './evaluation.view';

/** Recorded with what was published although it failed: who reads it later sees what was known. */
export type ConstitutionOverridden = { readonly reason: string; readonly constitutionHash: string; readonly failed: readonly string[] };

export type PublishVerdict = {
  readonly allowed: boolean;
  readonly constitutionHash: string | null;
  readonly results: readonly EvaluationResult[];
  /** Evaluators that stand in the way. */
  readonly blocking: readonly string[];
  readonly constitutionOverridden?: ConstitutionOverridden;
};

/**
 * The gate before publishing, under the version in force at that moment (null: none is). A failed blocking evaluator blocks, unless somebody
 * gives a reason to override it; a failed warning is reported and does not block. A judge that could not be asked is no verdict at all.
 */
export const evaluatePublish = (
  content: Content,
  constitution: Pick<KnownConstitution, 'hash' | 'evaluators'> | null,
  tools: Tools,
  overrideReason?: string,
): { readonly ok: true; readonly verdict: PublishVerdict } | Rejected => {
  if (!constitution) return { ok: true, verdict: { allowed: true, constitutionHash: null, results: [], blocking: [] } };
  const { hash, evaluators } = constitution;
  const evaluated = evaluate(evaluators, content, tools);
  if (!evaluated.ok) return evaluated;
  const { results } = evaluated;
  const blocking = blockingFailures(results).map(({ evaluatorId }) => evaluatorId);
  const common = { constitutionHash: hash, results, blocking };
  if (blocking.length === 0) return { ok: true, verdict: { allowed: true, ...common } };
  if (overrideReason === undefined) return { ok: true, verdict: { allowed: false, ...common } };
  const reason = overrideReason.trim();
  if (reason === '') return reject('invalid', 'VALIDATION_FAILED', 'Say why this may be published all the same.', { errors: [{ pointer: '/overrideReason', detail: 'Required' }] });
  return { ok: true, verdict: { allowed: true, ...common, constitutionOverridden: { reason, constitutionHash: hash, failed: blocking } } };
};
