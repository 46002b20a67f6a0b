import { accept, type Decision } from '@app/kernel';
import type { ApprovalEvent } from '../approval.events';
import type { Approval } from '../approval.state';

/**
 * Nothing happens when somebody was faster, or when the time was extended; and silence about a veto means consent, which is another
 * deadline. So a timer may come late, twice, or for nothing.
 */
export const expireApproval = (state: Approval, now: Date): Decision<readonly ApprovalEvent[]> =>
  state.status === 'pending' && state.request.kind !== 'veto' && now.getTime() >= Date.parse(state.expiresAt)
    ? accept([{ type: 'ApprovalExpired', data: { dueAt: state.expiresAt, expiredAt: now.toISOString() } }])
    : accept([]);
