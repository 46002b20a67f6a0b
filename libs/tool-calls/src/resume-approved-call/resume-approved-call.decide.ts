import { accept, reject, type Context, type Decision } from '@app/kernel';
import { decideApproval, type Approval, type DecideApprovalBody } from '@app/approvals/contract';
import { endingEvents, type LiveRun, type RunEvent } from '@app/runs/contract';
import type { Verdict } from '../door/door.policy';
import { authorisedEvent, denialEvents, type Asked, type CallEvents } from '../request-tool-call/request-tool-call.decide';

/**
 * A decision and what it does to the run are one append: the approval is consumed by the very event that starts the call.
 * The door was asked again for this action: if the tool changed since the reviewer looked, nothing runs; if it now refuses, it refuses.
 */
export const resumeApprovedCall = (
  approval: Approval,
  run: LiveRun,
  body: DecideApprovalBody,
  asked: Asked,
  verdict: Verdict,
  context: Pick<Context, 'actor' | 'now'>,
): Decision<CallEvents> => {
  const decided = decideApproval(approval, body, asked.action.actionDigest, context);
  if (!decided.ok || approval.status !== 'pending') return decided.ok ? accept({ run: [], goal: [], approval: [] }) : decided;
  const { approvalId, callId, actionDigest } = approval.request;
  const resumed: RunEvent = { type: 'RunResumed', data: { callId, approvalId, decision: body.decision } };
  if (body.decision !== 'approved') {
    const reason = body.decision === 'rejected' ? 'rejected' : 'changes_requested';
    const denial = denialEvents(asked, { route: 'deny', reason, rule: 'approval', facts: { reason: body.reason, by: context.actor.id } });
    const ending = run.kind === 'task' ? endingEvents({ status: 'failed', stopReason: 'approval_rejected', reason: body.reason ?? reason }) : undefined;
    return accept({ run: [resumed, ...denial.run, ...(ending?.run ?? [])], goal: ending?.goal ?? [], approval: decided.events });
  }
  if (body.arguments === undefined && asked.action.actionDigest !== actionDigest) {
    return reject('conflict', 'ACTION_CHANGED', 'The tool or its schema changed after this call was asked for; the agent must propose it again.', {
      requested: actionDigest, current: asked.action.actionDigest,
    });
  }
  if (verdict.route === 'deny') {
    const denial = denialEvents(asked, verdict);
    return accept({ run: [resumed, ...denial.run], goal: denial.goal, approval: decided.events });
  }
  if (verdict.route !== 'execute') return reject('conflict', 'CONFLICT', 'This action cannot run now; look at the site\'s rules and decide again.');
  return accept({ run: [resumed, authorisedEvent(asked, verdict, approvalId)], goal: [], approval: decided.events });
};
