import { toolsOf, type Governance } from '@app/governance/contract';
import { patternProblem } from '@app/json-schema';
import { lintPolicies, type LintFacts } from './lint-policies.policy';
import type { PoliciesView } from './policies.view';

export const lintFactsOf = (state: Governance): LintFacts => ({
  tools: toolsOf(state).map(({ name }) => name),
  roles: state.status === 'site' ? Object.keys(state.roles) : [],
  patternProblem,
});

export const policiesView = (state: Governance, governanceVersion: number): PoliciesView => {
  const rules = state.status === 'site' ? [...state.policies] : [];
  return { rules, warnings: [...lintPolicies(rules, lintFactsOf(state)).warnings], governanceVersion };
};
