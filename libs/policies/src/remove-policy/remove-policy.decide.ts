import type { Governance, GovernanceEvent } from '@app/governance/contract';
import { missing, type Decision } from '@app/kernel';
import type { LintFacts } from '../lint-policies.policy';
import { putPolicies } from '../put-policies/put-policies.decide';
import type { RemovePolicyBody } from './remove-policy.command';

/** Takes one rule out of the list; the others keep their order. */
export const removePolicy = (state: Governance, { name }: RemovePolicyBody, facts: LintFacts): Decision<{ readonly governance: readonly GovernanceEvent[] }> => {
  if (state.status === 'none' || !state.policies.some((rule) => rule.name === name)) return missing();
  return putPolicies(state, { rules: state.policies.filter((rule) => rule.name !== name) }, facts);
};
