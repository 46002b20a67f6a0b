import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';

export const APPROVAL_KINDS = ['plan', 'tool_call', 'artifact', 'schema_diff', 'veto', 'promotion'] as const;
export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'expired', 'superseded'] as const;

const Person = z.strictObject({ kind: z.enum(['human', 'agent', 'service']), id: z.string(), role: z.string().optional() });
const Decided = { by: Person, decidedAt: z.string(), channel: z.enum(['api']) };

export const approvalEvents = eventFamily('approval', {
  ApprovalRequested: z.strictObject({
    approvalId: z.string(),
    kind: z.enum(APPROVAL_KINDS),
    domain: z.enum(['items', 'schema', 'tools']),
    goalId: z.string(),
    runId: z.string(),
    callId: z.string(),
    tool: z.string(),
    /** What is shown is what is digested is what runs. */
    arguments: z.record(z.string(), z.json()),
    actionDigest: z.string(),
    capability: z.string(),
    /** The rule, level or class that made the door ask. */
    policy: z.string(),
    agentRole: z.string().nullable(),
    quorum: z.int().min(1),
    /** Only a human may decide, and one by one. */
    humanOnly: z.boolean(),
    /** When silence commits; only for kind `veto`. */
    autoCommitAt: z.string().nullable(),
    requestedBy: Person,
    requestedAt: z.string(),
    expiresAt: z.string(),
  }),
  ApprovalApproved: z.strictObject({ ...Decided, reason: z.string().optional(), arguments: z.record(z.string(), z.json()).optional(), actionDigest: z.string() }),
  ApprovalRejected: z.strictObject({ ...Decided, reason: z.string(), decision: z.enum(['rejected', 'changes_requested']) }),
  ApprovalSuperseded: z.strictObject({ reason: z.string() }),
  ApprovedCallSucceeded: z.strictObject({ callId: z.string() }),
  ApprovedCallFailed: z.strictObject({ callId: z.string(), error: z.string() }),
});
export type ApprovalEvent = EventOf<typeof approvalEvents>;
