import { accept, type Decision } from '@app/kernel';
import { expireApproval, type Approval } from '@app/approvals/contract';
import { endingEvents, isLive, type OpenedRun } from '@app/runs/contract';
import { deniedAsAsked, type CallEvents } from '../request-tool-call/request-tool-call.decide';

/** Nobody found out whether a call of a lost worker happened: no run goes on from there. */
const unverified = (callId: string, approvalId: string, reason: string): Omit<CallEvents, 'approval'> => {
  const ending = endingEvents({ status: 'failed', stopReason: 'stale_unverified', reason });
  return { run: [{ type: 'IndeterminateResolved', data: { callId, approvalId, answer: 'failed', by: 'approval-expiry', reason } }, ...ending.run], goal: ending.goal };
};

/** An approval that nobody decided in time: its call is denied, a task run fails with it, an external run goes on and its agent learns why. */
export const expireParkedCall = (approval: Approval, run: OpenedRun, now: Date): Decision<CallEvents> => {
  const nothing = accept({ run: [], goal: [], approval: [] });
  const expired = expireApproval(approval, now);
  if (!expired.ok || expired.events.length === 0 || approval.status !== 'pending') return nothing;
  const { approvalId, callId } = approval.request;
  const call = callId === null ? undefined : run.calls.open[callId];
  if (!isLive(run)) return nothing;
  const reason = `Nobody decided until ${approval.expiresAt}`;
  if (call?.status === 'indeterminate') return accept({ ...unverified(call.callId, approvalId, reason), approval: expired.events });
  if (call?.status !== 'parked') return nothing;
  const ending = run.kind === 'task' ? endingEvents({ status: 'failed', stopReason: 'approval_expired', reason }) : undefined;
  return accept({
    run: [
      { type: 'RunResumed', data: { callId: call.callId, approvalId, decision: 'expired' } },
      deniedAsAsked(call.asked, { reason: 'expired', rule: 'approval', facts: { reason, expiresAt: approval.expiresAt } }),
      ...(ending?.run ?? []),
    ],
    goal: ending?.goal ?? [],
    approval: expired.events,
  });
};
