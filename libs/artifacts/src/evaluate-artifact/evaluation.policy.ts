import { blockingFailures, evaluate, warnings, type Evaluator, type Tools } from '@app/constitution/contract';
import { reject, type Rejected } from '@app/kernel';
import type { ArtifactContent, ArtifactType } from '../artifact.schema';
import type { Evaluation } from '../artifact.state';
import { migrationProblems } from '../evaluators/migration.policy';
import { widenedPermissions, type RolesNow } from '../evaluators/permission-diff.policy';
import { promptProblems } from '../evaluators/prompt-safety.policy';
import type { RequestedEvaluation } from './evaluate-artifact.command';

/** What the checks need from outside; the same facts give the same results. */
export type EvaluationFacts = {
  readonly artifactType: ArtifactType;
  readonly content: ArtifactContent;
  readonly roles: RolesNow;
  /** Of the version that is pinned to the artifact; null when none is. */
  readonly pinned: readonly Evaluator[] | null;
  readonly tools: Tools;
  /** Where content breaks a schema, one line each; without a schema that of the type. A schema that cannot be enforced is refused. */
  readonly schemaProblems: (schema: Readonly<Record<string, unknown>> | undefined) => { readonly ok: true; readonly problems: readonly string[] } | Rejected;
  /** Why the content is no valid OpenAPI document, one line each. */
  readonly apiProblems: readonly string[];
  /** Why a pattern cannot be run in linear time; null when it can. */
  readonly patternProblem: (pattern: string) => string | null;
  /** Short identity of what the caller brought, so that a laxer schema is another check and lifts nothing. */
  readonly nameOf: (brought: unknown) => string;
};
export type Result = Pick<Evaluation, 'type' | 'name' | 'status' | 'detail'>;

const LONGEST_DETAIL = 2_000;

/** The checks that suit a type, when nobody asks for others. */
export const suitedTo = (type: ArtifactType): readonly RequestedEvaluation[] => [
  { type: 'json_schema' }, ...(type === 'api_spec' ? [{ type: 'api_spec' } as const] : []), ...(type === 'migration' ? [{ type: 'migration' } as const] : []), { type: 'permission_diff' }, { type: 'prompt_safety' }, { type: 'constitution' },
];

export const evaluateAll = (requested: readonly RequestedEvaluation[], facts: EvaluationFacts): { readonly ok: true; readonly results: readonly Result[] } | Rejected => {
  const results = new Map<string, Result>();
  for (const [nr, each] of requested.entries()) {
    const done = evaluateOne(each, facts, `/evaluations/${nr}`);
    if (!done.ok) return done;
    results.set(`${done.result.type} ${done.result.name ?? ''}`, done.result);
  }
  return { ok: true, results: [...results.values()] };
};

type One = { readonly ok: true; readonly result: Result } | Rejected;

const evaluateOne = (requested: RequestedEvaluation, facts: EvaluationFacts, pointer: string): One => {
  const { type } = requested;
  const { content, roles } = facts;
  switch (type) {
    case 'json_schema': {
      const checked = facts.schemaProblems(requested.schema);
      const name = requested.schema === undefined ? null : facts.nameOf(requested.schema);
      return checked.ok ? found(type, name, checked.problems) : invalid(`${pointer}/schema`, checked.rejection.detail);
    }
    case 'api_spec':
      return found(type, null, facts.apiProblems);
    case 'migration':
      return found(type, null, migrationProblems(content));
    case 'permission_diff':
      return found(type, null, widenedPermissions(content, roles));
    case 'prompt_safety':
      return found(type, null, promptProblems(content));
    case 'constitution':
      return facts.pinned === null ? found(type, null, [], 'No constitution is pinned to this version') : judged(type, null, facts.pinned, facts);
    case 'custom_rule': {
      const bad = requested.rules.findIndex((rule) => rule.type === 'rule' && rule.rule === 'regex' && facts.patternProblem(rule.value) !== null);
      if (bad >= 0) return invalid(`${pointer}/rules/${bad}/value`, 'A pattern that runs in linear time');
      return judged(type, `${requested.name} ${facts.nameOf(requested.rules)}`, requested.rules, facts);
    }
  }
};

const judged = (type: 'constitution' | 'custom_rule', name: string | null, evaluators: readonly Evaluator[], { artifactType, content, tools }: EvaluationFacts): One => {
  const evaluated = evaluate(evaluators, { artifactType, data: content }, tools);
  if (!evaluated.ok) return evaluated;
  const lines = (results: typeof evaluated.results) => results.map(({ evaluatorId, detail }) => `${evaluatorId}: ${detail ?? 'failed'}`);
  const warned = lines(warnings(evaluated.results));
  return found(type, name, lines(blockingFailures(evaluated.results)), warned.length === 0 ? null : `Warnings: ${warned.join('; ')}`);
};

const found = (type: Result['type'], name: string | null, problems: readonly string[], remark: string | null = null): One => ({
  ok: true,
  result: problems.length === 0 ? { type, name, status: 'passed', detail: cut(remark) } : { type, name, status: 'failed', detail: cut(problems.join('; ')) },
});

const cut = (detail: string | null) => (detail === null || detail.length <= LONGEST_DETAIL ? detail : `${detail.slice(0, LONGEST_DETAIL - 1)}…`);
const invalid = (pointer: string, detail: string) => reject('invalid', 'VALIDATION_FAILED', 'This check cannot be made.', { errors: [{ pointer, detail }] });
