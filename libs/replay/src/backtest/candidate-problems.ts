import { patternProblem } from '@app/json-schema';
import type { FieldError } from '@app/http';
import type { Candidate } from './candidate.schema';

/** Why a candidate cannot be tried; an empty list when it can. */
export const candidateProblems = ({ policies, roles, grants, constitution }: Candidate): readonly FieldError[] => {
  if (!policies && !roles && !grants && !constitution) return [{ pointer: '/candidate', detail: 'Name policies, roles, grants or a constitution to try' }];
  const patterns = (constitution?.evaluators ?? []).flatMap((evaluator, n) => {
    const problem = evaluator.type === 'rule' && evaluator.rule === 'regex' ? patternProblem(evaluator.value) : null;
    return problem === null ? [] : [{ pointer: `/candidate/constitution/evaluators/${n}/value`, detail: problem }];
  });
  const matchers = (policies ?? []).flatMap(({ when }, rule) =>
    (when.arguments ?? []).flatMap(({ matches }, condition) => {
      const problem = matches === undefined ? null : patternProblem(matches);
      return problem === null ? [] : [{ pointer: `/candidate/policies/${rule}/when/arguments/${condition}/matches`, detail: problem }];
    }),
  );
  return [...matchers, ...patterns];
};
