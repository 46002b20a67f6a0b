import type { Governance, GovernanceEvent } from '@app/governance/contract';
import { accept, missing, reject, type Decision } from '@app/kernel';
import { lintPolicies, type LintFacts } from '../lint-policies.policy';
import type { PutPoliciesBody } from './put-policies.command';

/** Replaces all rules, or none of them when one is faulty. */
export const putPolicies = (state: Governance, { rules }: PutPoliciesBody, facts: LintFacts): Decision<{ readonly governance: readonly GovernanceEvent[] }> => {
  if (state.status === 'none') return missing();
  const { faults } = lintPolicies(rules, facts);
  if (faults.length > 0) return reject('invalid', 'VALIDATION_FAILED', 'These rules are faulty; the rules in force stay as they are.', { errors: faults });
  return accept({ governance: sameRules(rules, state.policies) ? [] : [{ type: 'PolicyChanged', data: { rules } }] });
};

/** Keys come back from the log in another order. */
const sameRules = (a: unknown, b: unknown) => JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));

const ordered = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(ordered)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined).toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, ordered(inner)]))
      : value;
