import { PolicyRules, type Governance, type GovernanceEvent } from '@app/governance/contract';
import { missing, reject, type Decision } from '@app/kernel';
import type { LintFacts } from '../lint-policies.policy';
import { putPolicies } from '../put-policies/put-policies.decide';
import type { AddPolicyBody } from './add-policy.command';

/** What all rules must satisfy together holds for the list with the new one in it; the others are not touched. */
export const addPolicy = (state: Governance, { rule, before }: AddPolicyBody, facts: LintFacts): Decision<{ readonly governance: readonly GovernanceEvent[] }> => {
  if (state.status === 'none') return missing();
  const at = before === undefined ? state.policies.length : state.policies.findIndex(({ name }) => name === before);
  if (at < 0) return reject('invalid', 'VALIDATION_FAILED', `There is no rule named ${before} to put the new one before.`, { errors: [{ pointer: '/before', detail: 'Must name a rule in force' }] });
  const rules = PolicyRules.safeParse(state.policies.toSpliced(at, 0, rule));
  return rules.success ? putPolicies(state, { rules: rules.data }, facts) : reject('invalid', 'VALIDATION_FAILED', 'The site has as many rules as it can have; remove one first.', { rules: state.policies.length });
};
