import { eventFamily, type EventOf } from '@app/kernel';
import { z } from 'zod';

export const APPROVAL_KINDS = ['plan', 'tool_call', 'artifact', 'schema_diff', 'veto', 'promotion'] as const;
export const APPROVAL_STATUSES = ['pending', 'approved', 'rejected', 'expired', 'superseded'] as const;
/** The way a decision came in, as the server saw it; `window` when silence until the end of a veto window stands for one. */
export const CHANNELS = ['api', 'batch', 'legacy_api', 'agent_review', 'window', 'mcp', 'link'] as const;
/** How the decider proved who they are: with a key that was issued to them, or with a link that was sent to them. A window is nobody and proves nothing. */
export const ASSURANCES = ['api_key', 'decision_link', 'none'] as const;

const Person = z.strictObject({ kind: z.enum(['human', 'agent', 'service']), id: z.string(), role: z.string().optional(), /** The user whose key it was. */ userId: z.string().optional() });
const Json = z.record(z.string(), z.json());
const Entry = { by: Person, channel: z.enum(CHANNELS), assurance: z.enum(ASSURANCES) };
const Decided = { ...Entry, decidedAt: z.string(), /** The reviewing run, when an agent decided. */ approverRunId: z.string().optional(), confidence: z.number().optional() };
/** Present when the reviewer changed the arguments: what was asked for, and what was approved instead. */
const Edited = { requestedArguments: Json.optional(), arguments: Json.optional() };

export const approvalEvents = eventFamily('approval', {
  ApprovalRequested: z.strictObject({
    approvalId: z.string(),
    siteId: z.string(),
    kind: z.enum(APPROVAL_KINDS),
    domain: z.enum(['items', 'schema', 'tools']),
    /** What is asked about, in a few words. */
    subject: z.string(),
    /** Goal, run, call and tool of an action; null for what no run asked for, such as a promotion. */
    goalId: z.string().nullable(),
    runId: z.string().nullable(),
    callId: z.string().nullable(),
    tool: z.string().nullable(),
    /** What is shown is what is digested is what runs, but for secrets, which are not shown. */
    arguments: Json,
    /** The exact arguments of a call with secrets, until it has an outcome. */
    sealed: z.string().optional(),
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
  /** One of several people who must agree has agreed to exactly this action; the last of them writes `ApprovalApproved`. */
  ApprovalVoteCast: z.strictObject({ ...Entry, ...Edited, castAt: z.string(), reason: z.string().optional(), actionDigest: z.string() }),
  ApprovalApproved: z.strictObject({ ...Decided, ...Edited, reason: z.string().optional(), actionDigest: z.string() }),
  ApprovalRejected: z.strictObject({ ...Decided, reason: z.string(), decision: z.enum(['rejected', 'changes_requested']) }),
  /** Words for the agent; nothing is decided by them. */
  ApprovalAnswered: z.strictObject({ by: Person, answeredAt: z.string(), text: z.string() }),
  ApprovalExtended: z.strictObject({ by: Person, from: z.string(), until: z.string() }),
  ApprovalDelegated: z.strictObject({ by: Person, to: z.string(), toUserId: z.string().optional(), note: z.string().optional() }),
  ApprovalEscalated: z.strictObject({ by: Person, reason: z.string() }),
  /** An agent reviewed and did not decide: from here on it waits for a human. */
  ReviewEscalated: z.strictObject({
    reviewerRunId: z.string(),
    by: Person,
    verdict: z.enum(['approve', 'reject']),
    confidence: z.number(),
    minConfidence: z.number(),
    cause: z.enum(['rejected', 'low_confidence', 'quorum']),
    reason: z.string(),
    escalatedAt: z.string(),
    deepLink: z.string(),
  }),
  /** `dueAt` is when it should have happened, `expiredAt` when it did: later after a downtime. */
  ApprovalExpired: z.strictObject({ dueAt: z.string(), expiredAt: z.string() }),
  ApprovalSuperseded: z.strictObject({ reason: z.string() }),
  ApprovedCallSucceeded: z.strictObject({ callId: z.string() }),
  ApprovedCallFailed: z.strictObject({ callId: z.string(), error: z.string() }),
  /** What it asked about is forgotten with the run that asked. */
  ApprovalForgotten: z.strictObject({ at: z.string() }),
});
export type ApprovalEvent = EventOf<typeof approvalEvents>;
