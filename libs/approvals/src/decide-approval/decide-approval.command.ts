import { Command, type Context, type Outcome } from '@app/kernel';
import { z } from 'zod';
import { APPROVAL_STATUSES } from '../approval.events';
import type { Reviewer } from '../reviewer.policy';

/** The digest lets a reviewer say which action was seen; a decision on another action is refused. */
export const DecideApprovalBody = z.strictObject({
  decision: z.enum(['approved', 'rejected', 'changes_requested']),
  reason: z.string().trim().min(1).max(2_000).optional(),
  arguments: z.record(z.string(), z.json()).optional(),
  actionDigest: z.string().regex(/^[0-9a-f]{64}$/).optional(),
}).meta({ id: 'DecideApproval' });
export type DecideApprovalBody = z.infer<typeof DecideApprovalBody>;

/** What a decided approval answers: its status and what became of the call. With a quorum it may still be pending. */
export const DecidedApprovalView = z.object({ approvalId: z.string(), status: z.enum(APPROVAL_STATUSES), call: z.json().optional() }).meta({ id: 'DecidedApproval' });
export type DecidedApproval = { readonly approvalId: string; readonly status: (typeof APPROVAL_STATUSES)[number]; readonly call?: unknown };

export class DecideApproval extends Command<Outcome<DecidedApproval>> {
  constructor(
    readonly approvalId: string,
    readonly body: DecideApprovalBody,
    readonly context: Context,
    readonly reviewer: Reviewer,
  ) {
    super();
  }
}
