import { z } from 'zod';
import { APPROVAL_KINDS, APPROVAL_STATUSES } from '../approval.events';

const Change = z.object({ path: z.string(), before: z.json(), after: z.json() }).meta({ id: 'Change' });

/** A question to a reviewer, and its answer once there is one. */
export const ApprovalView = z.object({
  id: z.string(),
  siteId: z.string(),
  kind: z.enum(APPROVAL_KINDS),
  domain: z.string(),
  status: z.enum(APPROVAL_STATUSES),
  goalId: z.string(),
  runId: z.string(),
  callId: z.string(),
  tool: z.string(),
  arguments: z.record(z.string(), z.json()),
  actionDigest: z.string(),
  capability: z.string(),
  policy: z.string(),
  agentRole: z.string().nullable(),
  quorum: z.int(),
  humanOnly: z.boolean(),
  autoCommitAt: z.string().nullable(),
  requestedBy: z.string(),
  requestedByKind: z.string(),
  requestedAt: z.string(),
  expiresAt: z.string(),
  decidedBy: z.string().nullable(),
  decidedByKind: z.string().nullable(),
  decidedAt: z.string().nullable(),
  decision: z.string().nullable(),
  reason: z.string().nullable(),
  /** The reviewer's arguments, when the approval changed them. */
  approvedArguments: z.record(z.string(), z.json()).nullable(),
  lastError: z.string().nullable(),
}).meta({ id: 'Approval' });
export type ApprovalView = Readonly<z.infer<typeof ApprovalView>>;

/** One approval with what the action would change. */
export const ApprovalDetail = ApprovalView.extend({ diff: z.array(Change) }).meta({ id: 'ApprovalDetail' });
export type ApprovalDetail = Readonly<z.infer<typeof ApprovalDetail>>;
