import { PolicyEffect } from '@app/governance/contract';
import { z } from 'zod';
import { Warning } from '../policies.view';

const CaseResult = z.object({
  name: z.string(),
  passed: z.boolean(),
  /** What differs from what was expected; empty when the case passed. */
  differences: z.array(z.string()),
  do: z.enum(['allow', 'ask', 'deny', 'stage', 'none']),
  rule: z.string().nullable(),
  reason: z.string().nullable(),
  capLevel: z.int().nullable(),
  quorum: z.int(),
  shadow: z.array(z.object({ rule: z.string(), then: PolicyEffect })),
}).meta({ id: 'PolicyCaseResult' });
export type CaseResult = z.infer<typeof CaseResult>;

/** `faults` are what would keep these rules from taking effect. */
export const PolicyTestView = z.object({
  passed: z.int(),
  failed: z.int(),
  results: z.array(CaseResult),
  faults: z.array(Warning),
  warnings: z.array(Warning),
}).meta({ id: 'PolicyTest' });
export type PolicyTestView = z.infer<typeof PolicyTestView>;
