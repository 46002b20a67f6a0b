import type { Approval } from '@app/approvals/contract';
import type { Recorded } from '@app/kernel';
import type { ToolCallAnswer } from '@app/tool-calls/contract';

export type WaitingCall = { readonly approvalId: string; readonly runId: string; readonly callId: string };

/** It has no outcome yet and will have one: a person has not decided, or the handler of an approved call is running. */
export const isWaiting = ({ status, rule }: ToolCallAnswer): boolean => status === 'pending_approval' || (status === 'indeterminate' && rule === 'no_outcome');

/** A run that ends takes its open questions with it: nobody will answer them, and the call is over. */
export const outlived = (call: ToolCallAnswer, approval: Approval): ToolCallAnswer =>
  approval.status === 'superseded' ? { ...call, status: 'denied', reason: approval.reason, rule: 'superseded' } : call;

/** Events of the approval, those of the run that name the call, and the end of the run. */
export const concerns = ({ approvalId, runId, callId }: WaitingCall, { streamId, data, type }: Recorded): boolean => {
  if (streamId === `approval-${approvalId}`) return true;
  if (streamId !== `run-${runId}`) return false;
  return /^Run(Cancelled|Succeeded|Failed)$/.test(type) || (data as { readonly callId?: unknown }).callId === callId;
};

const NEWS: Readonly<Record<string, string>> = {
  ApprovalVoteCast: 'One person agreed; others have to', ApprovalAnswered: 'A reviewer answered', ToolCallAnswered: 'A reviewer answered', ApprovalExtended: 'There is more time to decide',
  ApprovalDelegated: 'Another person is asked', ApprovalEscalated: 'An admin is asked', ReviewEscalated: 'An agent left it to a person', ApprovalApproved: 'Approved; the call runs',
  ToolCallAuthorised: 'Approved; the call runs', ApprovedCallFailed: 'The approved call failed and waits again', ToolCallFailed: 'The approved call failed and waits again',
  ApprovalRejected: 'Rejected', ApprovalExpired: 'Nobody decided in time', ApprovalSuperseded: 'The run has ended',
};

/** What somebody who waits would want to hear of these events, each thing once; of most of them nothing. */
export const newsIn = (events: readonly Pick<Recorded, 'type'>[]): readonly string[] => [...new Set(events.flatMap(({ type }) => NEWS[type] ?? []))];
