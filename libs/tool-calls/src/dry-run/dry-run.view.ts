import { domainOf, PolicyEffect } from '@app/governance/contract';
import { z } from 'zod';
import type { Verdict } from '../door/door.policy';

/** A decision of the door that was not taken. `endsRun`: the refusal would end the run with this reason. */
export const DryRunView = z.object({
  decision: z.enum(['execute', 'stage', 'ask', 'defer', 'deny']),
  reason: z.string().nullable(),
  rule: z.string().nullable(),
  facts: z.record(z.string(), z.json()).nullable(),
  endsRun: z.string().nullable(),
  retryAfterMs: z.number().nullable(),
  autonomy: z.int().nullable(),
  capability: z.string().nullable(),
  domain: z.enum(['items', 'schema', 'tools']).nullable(),
  quorum: z.int().nullable(),
  humanOnly: z.boolean().nullable(),
  windowMs: z.number().nullable(),
  shadow: z.array(z.object({ rule: z.string(), then: PolicyEffect })),
  /** With the schema's defaults filled in: what would run. */
  arguments: z.record(z.string(), z.json()),
  governanceVersion: z.int(),
}).meta({ id: 'DryRun' });
export type DryRunView = z.infer<typeof DryRunView>;

const NOTHING = {
  reason: null, rule: null, facts: null, endsRun: null, retryAfterMs: null, autonomy: null, capability: null, domain: null, quorum: null, humanOnly: null, windowMs: null,
  shadow: [],
};

/** What may be staged but has no item to be staged for is asked, as at the door. */
export const dryRunView = (verdict: Verdict, mayBeStaged: boolean, input: Readonly<Record<string, unknown>>, governanceVersion: number): DryRunView => {
  const common = { ...NOTHING, arguments: input as DryRunView['arguments'], governanceVersion };
  if (verdict.route === 'deny') {
    const { reason, rule, facts = null, stop, shadow = [] } = verdict;
    return { ...common, decision: 'deny', reason, rule, facts: facts as DryRunView['facts'], endsRun: stop?.stopReason ?? null, shadow: [...shadow] };
  }
  if (verdict.route === 'defer') return { ...common, decision: 'defer', reason: verdict.reason, rule: verdict.rule, retryAfterMs: verdict.retryAfterMs };
  const { autonomy, capability, policy, shadow } = verdict;
  const routed = { ...common, rule: policy, autonomy, capability, shadow: [...shadow] };
  if (verdict.route === 'execute') return { ...routed, decision: 'execute' };
  if (verdict.route === 'stage' && mayBeStaged) return { ...routed, decision: 'stage', windowMs: verdict.windowMs };
  const terms = verdict.route === 'ask' ? verdict : { domain: domainOf(capability), quorum: 1, humanOnly: false };
  return { ...routed, decision: 'ask', domain: terms.domain, quorum: terms.quorum, humanOnly: terms.humanOnly };
};
