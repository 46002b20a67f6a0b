import type { Approval } from './approvals';
import { path } from './connection/path';
import type { Transport } from './connection/transport';
import type { LogEvent } from './log-event';
import type { ToolCallResult } from './tool-call';

/** `status` is never `pending`. `call` is what became of the approved call. */
export type SettledApproval = Approval & { readonly call?: ApprovedCall };
export type ApprovedCall = Pick<ToolCallResult, 'callId' | 'status' | 'result' | 'reason' | 'rule'>;

type Follow = (after: string | undefined, signal: AbortSignal | undefined) => AsyncIterable<LogEvent>;

const text = (value: unknown): { reason?: string } => (typeof value === 'string' ? { reason: value } : {});

/** The outcome that an event records for the call; a failed approved call has none yet, because its approval waits again. */
const outcomeIn = ({ type, data }: LogEvent, callId: string | null): ApprovedCall | undefined => {
  if (callId === null || data['callId'] !== callId) return undefined;
  if (type === 'ToolCallSucceeded') return { callId, status: 'executed', result: data['result'] as ApprovedCall['result'] };
  if (type === 'ToolCallDenied') return { callId, status: 'denied', ...text(data['reason']) };
  // Approved, and then it is the agent's own to carry out: nothing more happens here until the agent does.
  if (type === 'ToolCallAuthorised' && data['handledBy'] === 'client') return { callId, status: 'indeterminate', rule: 'client_executes' };
  if (type === 'ToolCallIndeterminate') return { callId, status: 'indeterminate', ...text(data['reason']) };
  return undefined;
};

/**
 * Looks once, then waits on the run's stream for the event that settles the approval: the outcome of the approved call, a decision against
 * it, or the end of the run. `approved` alone is not the end of it: the call may still fail, which makes the approval pending again.
 */
export const settleApproval = async (
  transport: Transport,
  follow: Follow,
  approvalId: string,
  signal: AbortSignal | undefined,
): Promise<SettledApproval> => {
  const look = (minPosition?: string) => transport.read<Approval>(path`/agent/approvals/${approvalId}`, { minPosition, signal });
  const first = await look();
  const { callId, status } = first.data;
  if (status !== 'pending' && status !== 'approved') return first.data;
  // The outcome of a call that was approved before may be anywhere in the run's history.
  for await (const event of follow(status === 'pending' ? first.position : undefined, signal)) {
    const call = outcomeIn(event, callId);
    if (call) return { ...(await look(event.position)).data, call };
    if (event.type !== 'RunResumed' || event.data['approvalId'] !== approvalId || event.data['decision'] === 'approved') continue;
    return (await look(event.position)).data;
  }
  signal?.throwIfAborted();
  return (await look()).data;
};
