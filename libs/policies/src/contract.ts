export { AddPolicy, AddPolicyBody } from './add-policy/add-policy.command';
export { GetPolicies } from './get-policies/get-policies.query';
export { lintPolicies, type Finding, type Lint, type LintFacts } from './lint-policies.policy';
export { PoliciesView } from './policies.view';
export { PutPolicies, PutPoliciesBody } from './put-policies/put-policies.command';
export { RemovePolicy, RemovePolicyBody } from './remove-policy/remove-policy.command';
export { PolicyTestView } from './test-policies/policy-test.view';
export { PolicyCase, TestPolicies, TestPoliciesBody } from './test-policies/test-policies.query';
