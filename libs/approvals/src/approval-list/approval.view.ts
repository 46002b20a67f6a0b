import { z } from 'zod';
import { APPROVAL_KINDS, APPROVAL_STATUSES } from '../approval.events';

const Change = z.object({ path: z.string(), before: z.json(), after: z.json() }).meta({ id: 'Change' });
const Json = z.record(z.string(), z.json());

/** A question to a reviewer, and its answer once there is one. */
export const ApprovalView = z.object({
  id: z.string(),
  siteId: z.string(),
  kind: z.enum(APPROVAL_KINDS),
  domain: z.string(),
  status: z.enum(APPROVAL_STATUSES),
  subject: z.string(),
  goalId: z.string().nullable(),
  runId: z.string().nullable(),
  callId: z.string().nullable(),
  tool: z.string().nullable(),
  arguments: Json,
  actionDigest: z.string(),
  capability: z.string(),
  policy: z.string(),
  agentRole: z.string().nullable(),
  quorum: z.int(),
  /** People whose approval counts so far, while the quorum is not complete. */
  votes: z.array(z.object({ by: z.string(), userId: z.string().optional(), at: z.string(), actionDigest: z.string() })),
  humanOnly: z.boolean(),
  autoCommitAt: z.string().nullable(),
  requestedBy: z.string(),
  requestedByKind: z.string(),
  requestedAt: z.string(),
  expiresAt: z.string(),
  /** Who is asked by name, after a delegation. */
  assignedTo: z.string().nullable(),
  escalated: z.boolean(),
  /** What reviewers told the agent meanwhile. */
  answers: z.array(z.object({ by: z.string(), at: z.string(), text: z.string() })),
  decidedBy: z.string().nullable(),
  decidedByKind: z.string().nullable(),
  decidedAt: z.string().nullable(),
  decision: z.string().nullable(),
  reason: z.string().nullable(),
  approverType: z.enum(['human', 'agent']).nullable(),
  /** The reviewing run, when an agent decided. */
  approverRunId: z.string().nullable(),
  /** How sure the agent was, 0 to 1. */
  confidence: z.number().nullable(),
  /** What agents said that left it to a human. */
  agentReviews: z.array(z.object({ reviewerRunId: z.string(), by: z.string(), verdict: z.string(), confidence: z.number(), cause: z.string(), reason: z.string(), at: z.string() })),
  channel: z.string().nullable(),
  assurance: z.string().nullable(),
  /** The reviewer's arguments, when the approval changed them. */
  approvedArguments: Json.nullable(),
  lastError: z.string().nullable(),
  /** Where a reviewer finds it, from the root of the server. */
  deepLink: z.string(),
}).meta({ id: 'Approval' });
export type ApprovalView = Readonly<z.infer<typeof ApprovalView>>;

/** One approval with what the action would change. */
export const ApprovalDetail = ApprovalView.extend({ diff: z.array(Change) }).meta({ id: 'ApprovalDetail' });
export type ApprovalDetail = Readonly<z.infer<typeof ApprovalDetail>>;
