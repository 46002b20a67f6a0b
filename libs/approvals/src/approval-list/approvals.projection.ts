import { FORGOTTEN, FORGOTTEN_TEXT, personId } from '@app/kernel';
import { projection } from '@app/projections/contract';
import type { ApprovalEvent } from '../approval.events';
import { approvalLink } from '../reviewer.policy';
import type { ApprovalView } from './approval.view';

const UNDECIDED = {
  decidedBy: null, decidedByKind: null, decidedAt: null, decision: null, reason: null, approverType: null, approverRunId: null, confidence: null, channel: null,
  assurance: null, approvedArguments: null,
} as const;

type Decided = {
  readonly by: { readonly id: string; readonly kind: 'human' | 'agent' | 'service' };
  readonly decidedAt: string;
  readonly reason?: string | undefined;
  readonly approverRunId?: string | undefined;
  readonly confidence?: number | undefined;
  readonly channel: string;
  readonly assurance: string;
};

/** A service and the silence of a veto window are neither a human nor an agent. */
const decided = (decision: string, { by, decidedAt, reason, approverRunId, confidence, channel, assurance }: Decided) => ({
  decision, decidedBy: by.id, decidedByKind: by.kind, decidedAt, reason: reason ?? null, approverType: by.kind === 'service' ? null : by.kind,
  approverRunId: approverRunId ?? null, confidence: confidence ?? null, channel, assurance,
});

/** Every approval of a site, with its decision. */
export const approvals = projection<ApprovalView, ApprovalEvent>({
  name: 'approvals',
  version: 3,
  columns: {
    kind: 'text', domain: 'text', status: 'text', subject: 'text', goalId: 'text', runId: 'text', callId: 'text', tool: 'text', arguments: 'jsonb',
    actionDigest: 'text', capability: 'text', policy: 'text', agentRole: 'text', quorum: 'integer', votes: 'jsonb', humanOnly: 'boolean', autoCommitAt: 'text',
    requestedBy: 'text', requestedByKind: 'text', requestedAt: 'text', expiresAt: 'text', assignedTo: 'text', escalated: 'boolean', answers: 'jsonb',
    decidedBy: 'text', decidedByKind: 'text', decidedAt: 'text', decision: 'text', reason: 'text', approverType: 'text', approverRunId: 'text', confidence: 'double precision', agentReviews: 'jsonb', channel: 'text',
    assurance: 'text', approvedArguments: 'jsonb', lastError: 'text', deepLink: 'text',
  },
  indexes: [['status', 'id'], ['runId'], ['decidedAt']],
  on: {
    ApprovalRequested: (_row, { siteId, data: { approvalId, siteId: _same, sealed: _sealed, requestedBy, ...request } }) => ({
      id: approvalId, siteId, ...request, requestedBy: requestedBy.id, requestedByKind: requestedBy.kind, status: 'pending', votes: [], assignedTo: null,
      escalated: false, answers: [], agentReviews: [], ...UNDECIDED, lastError: null, deepLink: approvalLink(approvalId),
    }),
    ApprovalVoteCast: (row, { data: { by, castAt, actionDigest } }) =>
      row && { ...row, votes: [...row.votes.filter((vote) => personId({ id: vote.by, userId: vote.userId }) !== personId(by)), { by: by.id, ...(by.userId !== undefined && { userId: by.userId }), at: castAt, actionDigest }] },
    ApprovalApproved: (row, { data }) => row && { ...row, status: 'approved', ...decided('approved', data), approvedArguments: data.arguments ?? null },
    ApprovalRejected: (row, { data }) => row && { ...row, status: 'rejected', ...decided(data.decision, data) },
    ApprovalExpired: (row, { data }) => row && { ...row, status: 'expired', decidedAt: data.expiredAt, reason: 'Nobody decided in time' },
    ApprovalSuperseded: (row, { data }) => row && { ...row, status: 'superseded', reason: data.reason },
    ApprovalAnswered: (row, { data: { by, answeredAt, text } }) => row && { ...row, answers: [...row.answers, { by: by.id, at: answeredAt, text }] },
    ApprovalExtended: (row, { data }) => row && { ...row, expiresAt: data.until },
    ApprovalDelegated: (row, { data }) => row && { ...row, assignedTo: data.to },
    ApprovalEscalated: (row) => row && { ...row, escalated: true },
    ReviewEscalated: (row, { data: { reviewerRunId, by, verdict, confidence, cause, reason, escalatedAt } }) =>
      row && { ...row, agentReviews: [...row.agentReviews, { reviewerRunId, by: by.id, verdict, confidence, cause, reason, at: escalatedAt }] },
    ApprovedCallFailed: (row, { data }) => row && { ...row, status: 'pending', ...UNDECIDED, votes: [], lastError: data.error },
    ApprovalForgotten: (row) => row && {
      ...row, subject: FORGOTTEN_TEXT, arguments: FORGOTTEN, approvedArguments: row.approvedArguments && FORGOTTEN, lastError: row.lastError === null ? null : FORGOTTEN_TEXT,
    },
  },
});
