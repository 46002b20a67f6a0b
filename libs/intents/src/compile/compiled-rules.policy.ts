import { z } from 'zod';
import { Rule } from '../intent.schema';
import { ruleProblems, type Known } from '../rules/rules.policy';

const Answer = z.object({ rules: z.array(z.unknown()).max(200), warnings: z.array(z.string().max(2_000)).max(200).default([]) });

const FENCED = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/;

/**
 * What can be used of a model's answer; undefined for one that is not the JSON that was asked for. A rule that is none, or that the collection
 * could not keep, is left out with a warning: what is confirmed must be exactly what is shown.
 */
export const compiledRules = (text: string, known: Known): { readonly rules: readonly Rule[]; readonly warnings: readonly string[] } | undefined => {
  const answer = Answer.safeParse(jsonOf(FENCED.exec(text)?.[1] ?? text));
  if (!answer.success) return undefined;
  const warnings = [...answer.data.warnings];
  const rules: Rule[] = [];
  for (const [index, candidate] of answer.data.rules.entries()) {
    const rule = Rule.safeParse(candidate);
    const problem = rule.success ? ruleProblems([...rules, rule.data], known).at(0)?.detail : rule.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
    if (rule.success && problem === undefined) rules.push(rule.data);
    else warnings.push(`Rule ${index + 1} was left out: ${problem ?? 'it cannot be kept'}`);
  }
  if (rules.length === 0) warnings.push('The description led to no rule that can be kept.');
  return { rules, warnings };
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
