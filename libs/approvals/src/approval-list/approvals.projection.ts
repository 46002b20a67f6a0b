import { projection } from '@app/projections/contract';
import type { ApprovalEvent } from '../approval.events';
import type { ApprovalView } from './approval.view';

/** Every approval of a site, with its decision. */
export const approvals = projection<ApprovalView, ApprovalEvent>({
  name: 'approvals',
  version: 1,
  columns: {
    kind: 'text', domain: 'text', status: 'text', goalId: 'text', runId: 'text', callId: 'text', tool: 'text', arguments: 'jsonb',
    actionDigest: 'text', capability: 'text', policy: 'text', agentRole: 'text', quorum: 'integer', humanOnly: 'boolean', autoCommitAt: 'text', requestedBy: 'text', requestedByKind: 'text', requestedAt: 'text',
    expiresAt: 'text', decidedBy: 'text', decidedByKind: 'text', decidedAt: 'text', decision: 'text', reason: 'text', approvedArguments: 'jsonb', lastError: 'text',
  },
  indexes: [['status', 'id'], ['runId']],
  on: {
    ApprovalRequested: (_row, { siteId, data: { approvalId, requestedBy, ...request } }) => ({
      id: approvalId, siteId, ...request, requestedBy: requestedBy.id, requestedByKind: requestedBy.kind, status: 'pending',
      decidedBy: null, decidedByKind: null, decidedAt: null, decision: null, reason: null, approvedArguments: null, lastError: null,
    }),
    ApprovalApproved: (row, { data }) =>
      row && {
        ...row, status: 'approved', decision: 'approved', decidedBy: data.by.id, decidedByKind: data.by.kind, decidedAt: data.decidedAt,
        reason: data.reason ?? null, approvedArguments: data.arguments ?? null,
      },
    ApprovalRejected: (row, { data }) =>
      row && {
        ...row, status: 'rejected', decision: data.decision, decidedBy: data.by.id, decidedByKind: data.by.kind, decidedAt: data.decidedAt,
        reason: data.reason,
      },
    ApprovalSuperseded: (row, { data }) => row && { ...row, status: 'superseded', reason: data.reason },
    ApprovedCallFailed: (row, { data }) =>
      row && {
        ...row, status: 'pending', decision: null, decidedBy: null, decidedByKind: null, decidedAt: null, reason: null, approvedArguments: null,
        lastError: data.error,
      },
  },
});
