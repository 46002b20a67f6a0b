import { z } from 'zod';
import type { DecidedApproval } from '../decide-approval/decide-approval.command';
import type { ApprovalView } from '../approval-list/approval.view';

/** An approval of a tool call in the words of the classic copilot; the id is that of the general approval, of which this is another view. */
export const LegacyApproval = z.object({
  id: z.string(),
  siteId: z.string(),
  agentApprovalId: z.string(),
  skill: z.string(),
  arguments: z.record(z.string(), z.json()),
  context: z.object({ goalId: z.string().nullable(), runId: z.string().nullable(), agentRole: z.string().nullable(), policy: z.string() }),
  status: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  deepLink: z.string(),
}).meta({ id: 'LegacyApproval' });
export type LegacyApproval = z.infer<typeof LegacyApproval>;

export const legacyApproval = ({ id, siteId, tool, arguments: input, goalId, runId, agentRole, policy, status, requestedAt, expiresAt, deepLink }: ApprovalView): LegacyApproval => ({
  id, siteId, agentApprovalId: id, skill: tool ?? '', arguments: input, context: { goalId, runId, agentRole, policy }, status, createdAt: requestedAt, expiresAt, deepLink,
});

export const LegacyDecisionBody = z.strictObject({ decision: z.enum(['approved', 'rejected']) }).meta({ id: 'LegacyDecision' });

/** The three answers of the classic copilot. */
export const LegacyAnswer = z
  .object({ status: z.enum(['executed', 'pending_approval', 'denied']), approvalId: z.string(), agentApprovalId: z.string(), data: z.json().optional(), message: z.string().optional() })
  .meta({ id: 'LegacyAnswer' });
export type LegacyAnswer = z.infer<typeof LegacyAnswer>;

type CallAnswer = { readonly status?: string; readonly result?: unknown; readonly reason?: string };

/** An approval of a call that failed waits on; one that needs more people does, too. */
export const legacyAnswer = ({ approvalId, call }: DecidedApproval): LegacyAnswer => {
  const { status, result, reason } = (call ?? {}) as CallAnswer;
  const common = { approvalId, agentApprovalId: approvalId };
  if (status === 'executed') return { ...common, status, data: (result ?? null) as LegacyAnswer['data'] };
  return { ...common, status: status === 'pending_approval' ? status : 'denied', message: reason ?? status ?? 'denied' };
};
