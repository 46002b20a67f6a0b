import { accept, missing, reject, type Decision } from '@app/kernel';
import { decideApproval, type Approval, type ApprovalEvent, type Reviewer } from '@app/approvals/contract';
import { endingEvents, type LiveRun, type OpenCall, type RunEvent } from '@app/runs/contract';
import { maskSecrets } from '@app/vault/contract';
import type { Verdict } from '../door/door.policy';
import { authorisedEvent, denialEvents, type Asked, type CallEvents } from '../request-tool-call/request-tool-call.decide';
import type { ResolveCallBody } from './resolve-call.command';

type Doubtful = Extract<OpenCall, { status: 'indeterminate' }>;

/**
 * A person's word on a call that nobody can be sure of. That it happened or failed is taken down as it was said; that it did not happen asks
 * the door again, which may have other rules by now. No secret of it is recorded.
 */
export const resolveCall = (
  approval: Approval,
  run: LiveRun,
  { callId, question: { approvalId }, asked }: Doubtful,
  said: ResolveCallBody,
  again: { readonly asked: Asked; readonly verdict: Verdict },
  { reviewer, requesters, now }: { readonly reviewer: Reviewer; readonly requesters: readonly string[]; readonly now: Date },
): Decision<CallEvents> => {
  if (approval.status === 'none') return missing();
  const { answer, result, reason } = maskSecrets(said).masked;
  const decision = answer === 'failed' ? 'rejected' : 'approved';
  const decided = decideApproval(approval, { decision, ...(reason !== undefined && { reason }) }, { actionDigest: asked.actionDigest, requesters, now }, reviewer);
  if (!decided.ok) return decided;
  const resumed: RunEvent = { type: 'RunResumed', data: { callId, approvalId, decision } };
  const resolved: RunEvent = {
    type: 'IndeterminateResolved',
    data: { callId, approvalId, answer, by: reviewer.actor.id, ...(result !== undefined && answer === 'happened' && { result }), ...(reason !== undefined && { reason }) },
  };
  if (answer === 'not_happened') return repeated([resumed, resolved], decided.events, again, approvalId, callId);
  const ending = run.kind !== 'task' ? undefined
    : endingEvents(answer === 'happened' ? { status: 'succeeded', ...(result !== undefined && { result }) } : { status: 'failed', stopReason: 'tool_failed', reason: reason ?? 'The call failed' });
  const done: ApprovalEvent[] = answer === 'happened' ? [{ type: 'ApprovedCallSucceeded', data: { callId } }] : [];
  return accept({ run: [resumed, resolved, ...(ending?.run ?? [])], goal: ending?.goal ?? [], approval: [...decided.events, ...done] });
};

const repeated = (
  told: readonly RunEvent[],
  approval: readonly ApprovalEvent[],
  { asked, verdict }: { readonly asked: Asked; readonly verdict: Verdict },
  approvalId: string,
  callId: string,
): Decision<CallEvents> => {
  if (verdict.route === 'execute') return accept({ run: [...told, authorisedEvent(asked, verdict, approvalId)], goal: [], approval });
  if (verdict.route !== 'deny') return reject('conflict', 'CONFLICT', 'This call cannot run now; try again later, or say that it failed.', { route: verdict.route });
  const denial = denialEvents(asked, verdict);
  return accept({ run: [...told, ...denial.run], goal: denial.goal, approval: [...approval, { type: 'ApprovedCallFailed', data: { callId, error: `The call was denied: ${verdict.reason}` } }] });
};
