import type { ApprovalEvent } from '../approval.events';

/** A change of what has to happen at which time. */
export type DeadlineChange =
  | { readonly set: string; readonly at: string; readonly topic: string }
  /** An earlier `set` of the key with another time; keeps the topic. */
  | { readonly move: string; readonly at: string }
  | { readonly clear: string };

const key = (streamId: string) => streamId.slice('approval-'.length);

/**
 * When an approval must have been decided. Approving does not clear the deadline, because an approved call that fails makes the approval
 * wait again, with the deadline it had.
 */
export const approvalDeadlines = ({ type, data, streamId }: ApprovalEvent & { readonly streamId: string }): readonly DeadlineChange[] => {
  switch (type) {
    case 'ApprovalRequested':
      return data.kind === 'veto' ? [] : [{ set: data.approvalId, at: data.expiresAt, topic: data.kind }];
    case 'ApprovalExtended':
      return [{ move: key(streamId), at: data.until }];
    case 'ApprovalRejected':
    case 'ApprovalExpired':
    case 'ApprovalSuperseded':
    case 'ApprovedCallSucceeded':
      return [{ clear: key(streamId) }];
    case 'ApprovalApproved':
    case 'ApprovalVoteCast':
    case 'ApprovalAnswered':
    case 'ApprovalDelegated':
    case 'ApprovalEscalated':
    case 'ReviewEscalated':
    case 'ApprovedCallFailed':
    case 'ApprovalForgotten':
      return [];
  }
};
