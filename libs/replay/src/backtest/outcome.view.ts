import { z } from 'zod';
import type { Verdict } from '@app/tool-calls/contract';
import type { DecisionEvent } from '../redecide/decision-event.policy';

/** What became, or would have become, of a call at the door. */
export const DecisionOutcome = z.object({
  decision: z.enum(['execute', 'stage', 'ask', 'deny', 'defer']),
  reason: z.string().nullable().describe('Why it was refused or put off'),
  rule: z.string().nullable().describe('The check, policy or class that decided; null when nothing stood in the way'),
  autonomy: z.int().nullable(),
  quorum: z.int().nullable().describe('How many people have to say yes, when people are asked'),
  humanOnly: z.boolean().nullable(),
}).meta({ id: 'DecisionOutcome' });
export type DecisionOutcome = Readonly<z.infer<typeof DecisionOutcome>>;

const NOT_ASKED = { quorum: null, humanOnly: null };

export const outcomeOf = (verdict: Verdict): DecisionOutcome => {
  if (verdict.route === 'deny' || verdict.route === 'defer') return { decision: verdict.route, reason: verdict.reason, rule: verdict.rule, autonomy: null, ...NOT_ASKED };
  const { route, policy, autonomy } = verdict;
  const asked = route === 'ask' ? { quorum: verdict.quorum, humanOnly: verdict.humanOnly } : NOT_ASKED;
  return { decision: route, reason: null, rule: policy, autonomy, ...asked };
};

/** The decision as its event tells it. How many people were asked stands in the approval; the same question gives it again. */
export const recordedOutcome = ({ type, data }: DecisionEvent, again: () => Verdict): DecisionOutcome => {
  switch (type) {
    case 'ToolCallDenied':
    case 'ToolCallDeferred':
      return { decision: type === 'ToolCallDenied' ? 'deny' : 'defer', reason: data.reason, rule: data.rule, autonomy: null, ...NOT_ASKED };
    case 'ToolCallAuthorised':
    case 'ToolCallStaged':
      return { decision: type === 'ToolCallStaged' ? 'stage' : 'execute', reason: null, rule: data.policy, autonomy: data.autonomy, ...NOT_ASKED };
    case 'ToolCallParked': {
      // What may be staged but had no item to be staged for was asked.
      const { quorum, humanOnly, decision } = outcomeOf(again());
      return { decision: decision === 'stage' ? 'stage' : 'ask', reason: null, rule: data.policy, autonomy: data.autonomy, quorum, humanOnly };
    }
  }
};

/** Two decisions differ when something else happens to the call, not when the same happens for another cause or at another level. */
export const isOtherDecision = (a: DecisionOutcome, b: DecisionOutcome): boolean =>
  a.decision !== b.decision || a.reason !== b.reason || a.quorum !== b.quorum || a.humanOnly !== b.humanOnly;
