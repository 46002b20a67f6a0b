import { PolicyRule } from '@app/governance/contract';
import { z } from 'zod';

/** What reviewers, people and reviewing agents, did with what agents of one role asked with one tool. */
export const ApprovalFeedback = z.object({
  agentRole: z.string().nullable(),
  tool: z.string(),
  decided: z.int(),
  approvedUnchanged: z.int(),
  approvedEdited: z.int(),
  changesRequested: z.int(),
  rejected: z.int(),
  /** Arguments that reviewers changed, most often changed first. */
  changed: z.array(z.object({ pointer: z.string(), times: z.int() })),
  /** What reviewers wrote, newest first. */
  reasons: z.array(z.string()),
}).meta({ id: 'ApprovalFeedback' });
export type ApprovalFeedback = z.infer<typeof ApprovalFeedback>;

/** A rule that would have decided as people did, ready to be put on trial in shadow mode. */
export const RuleSuggestion = z.object({ rule: PolicyRule, why: z.string() }).meta({ id: 'RuleSuggestion' });

/** How people decide what one policy makes them decide. */
export const ApprovalStats = z.object({
  policy: z.string(),
  decided: z.int(),
  approved: z.int(),
  rejected: z.int(),
  expired: z.int(),
  /** Of what was decided; null when nothing was. */
  approveRate: z.number().nullable(),
  medianDecisionMs: z.number().nullable(),
  suggestions: z.array(RuleSuggestion),
}).meta({ id: 'ApprovalStats' });
export type ApprovalStats = z.infer<typeof ApprovalStats>;
