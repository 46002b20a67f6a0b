import { accept, reject, type Decision } from '@app/kernel';
import type { ConstitutionEvent } from '../constitution.events';
import type { Constitution } from '../constitution.state';
import type { Evaluator } from '../evaluator.schema';

/** Patterns come with the reason why they cannot be used, if there is one: a pattern that may not run is refused here, not skipped later. */
export const draftConstitution = (
  state: Constitution,
  ids: { readonly constitutionId: string; readonly siteId: string },
  hash: string,
  evaluators: readonly Evaluator[],
  patternProblem: (pattern: string) => string | null,
): Decision<{ readonly constitution: readonly ConstitutionEvent[] }> => {
  const errors = evaluators.flatMap((each, index) => {
    const detail = each.type === 'rule' && each.rule === 'regex' ? patternProblem(each.value) : null;
    return detail === null ? [] : [{ pointer: `/evaluators/${index}/value`, detail }];
  });
  if (errors.length > 0) return reject('invalid', 'VALIDATION_FAILED', 'A pattern of the constitution cannot be used.', { errors });
  if (state.status !== 'none') return accept({ constitution: [] });
  return accept({ constitution: [{ type: 'ConstitutionDrafted', data: { ...ids, hash, evaluators: [...evaluators] } }] });
};
