import { patternProblem } from '@app/json-schema';
import type { FieldError } from '@app/http';
import type { Candidate } from './candidate.schema';

const NO_CONSTITUTION = 'Decisions of the door do not depend on a constitution; backtest a draft with POST /api/v1/agent/constitution/{id}/backtest';

/** Why a candidate cannot be tried; an empty list when it can. */
export const candidateProblems = ({ policies, roles, grants, constitution }: Candidate): readonly FieldError[] => {
  if (constitution !== undefined) return [{ pointer: '/candidate/constitution', detail: NO_CONSTITUTION }];
  if (!policies && !roles && !grants) return [{ pointer: '/candidate', detail: 'Name policies, roles or grants to try' }];
  return (policies ?? []).flatMap(({ when }, rule) =>
    (when.arguments ?? []).flatMap(({ matches }, condition) => {
      const problem = matches === undefined ? null : patternProblem(matches);
      return problem === null ? [] : [{ pointer: `/candidate/policies/${rule}/when/arguments/${condition}/matches`, detail: problem }];
    }),
  );
};
