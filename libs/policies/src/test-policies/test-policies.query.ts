import { PolicyRules, ToolName } from '@app/governance/contract';
import { Query, type Outcome } from '@app/kernel';
import { z } from 'zod';
import type { PolicyTestView } from './policy-test.view';

const Decided = z.enum(['allow', 'ask', 'deny', 'stage', 'none']);
/** What the rules should say. `none`: no rule decides, so risk and level do. What is not named is not compared. */
const Expected = z.strictObject({
  do: Decided.optional(),
  rule: z.string().nullable().optional(),
  capLevel: z.int().min(0).max(4).nullable().optional(),
  quorum: z.int().min(1).optional(),
  shadow: z.array(z.string()).optional(),
});

export const PolicyCase = z.strictObject({
  name: z.string().min(1).max(200).optional(),
  tool: ToolName,
  role: z.string().min(1).max(64).optional(),
  arguments: z.record(z.string(), z.json()).default({}),
  origin: z.enum(['user', 'planner', 'reconciler', 'flow']).default('user'),
  /** The instant of the call; now when absent. */
  at: z.iso.datetime({ offset: true }).optional(),
  expect: z.union([Decided, Expected]),
});
export type PolicyCase = z.infer<typeof PolicyCase>;

/** Without `rules` those in force are tested. */
export const TestPoliciesBody = z.strictObject({ rules: PolicyRules.optional(), cases: z.array(PolicyCase).min(1).max(500) }).meta({ id: 'TestPolicies' });
export type TestPoliciesBody = z.infer<typeof TestPoliciesBody>;

export class TestPolicies extends Query<Outcome<PolicyTestView>> {
  constructor(
    readonly siteId: string,
    readonly body: TestPoliciesBody,
    readonly now: Date,
  ) {
    super();
  }
}
