import { applyPolicies, type EffectiveTool, type Matcher, type PolicyRule } from '@app/governance/contract';
import type { CaseResult } from './policy-test.view';
import type { PolicyCase } from './test-policies.query';

/** One case against the rules: the very function that the door applies, and a comparison. */
export const runCase = (rules: readonly PolicyRule[], tool: EffectiveTool, asked: PolicyCase, now: Date, matches: Matcher): CaseResult => {
  const { role, origin, arguments: input, at, expect } = asked;
  const verdict = applyPolicies(rules, { tool, role, origin, arguments: input, now: at === undefined ? now : new Date(at) }, matches);
  const { decided, capLevel = null, quorum } = verdict;
  const said = { do: decided?.do ?? ('none' as const), rule: decided?.rule ?? null, capLevel, quorum, shadow: verdict.shadow.map(({ rule }) => rule) };
  const wanted: Readonly<Record<string, unknown>> = typeof expect === 'string' ? { do: expect } : expect;
  const differences = Object.entries(wanted)
    .filter(([key, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(said[key as keyof typeof said]))
    .map(([key, value]) => `${key}: expected ${JSON.stringify(value)}, got ${JSON.stringify(said[key as keyof typeof said])}`);
  return {
    name: asked.name ?? asked.tool, passed: differences.length === 0, differences, do: said.do, rule: said.rule, reason: decided?.reason ?? null, capLevel, quorum,
    shadow: [...verdict.shadow],
  };
};
