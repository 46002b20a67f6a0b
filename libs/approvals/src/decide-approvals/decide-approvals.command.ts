import { z } from 'zod';
import { DecideApprovalBody, DecidedApprovalView } from '../decide-approval/decide-approval.command';

/** Up to a hundred decisions, each taken by itself: one that is refused does not keep the others from happening. */
export const DecideApprovalsBody = z
  .strictObject({ decisions: z.array(DecideApprovalBody.extend({ approvalId: z.string().min(1).max(100) })).min(1).max(100) })
  .meta({ id: 'DecideApprovals' });
export type DecideApprovalsBody = z.infer<typeof DecideApprovalsBody>;

/** What became of one decision, in the order in which they were sent. */
export const BatchedDecision = z
  .object({
    approvalId: z.string(),
    ok: z.boolean(),
    decided: DecidedApprovalView.optional(),
    problem: z.object({ status: z.int(), code: z.string(), detail: z.string(), facts: z.record(z.string(), z.json()).optional() }).optional(),
  })
  .meta({ id: 'BatchedDecision' });
export const DecidedApprovals = z.object({ results: z.array(BatchedDecision) }).meta({ id: 'DecidedApprovals' });
