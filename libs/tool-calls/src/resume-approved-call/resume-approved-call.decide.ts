import { accept, missing, reject, type Decision } from '@app/kernel';
import { decideApproval, type Approval, type DecideApprovalBody, type DecisionFacts, type Reviewer } from '@app/approvals/contract';
import { endingEvents, type LiveRun, type RunEvent } from '@app/runs/contract';
import type { Verdict } from '../door/door.policy';
import { authorisedEvent, denialEvents, type Asked, type CallEvents } from '../request-tool-call/request-tool-call.decide';

/** Who decides, whose own request it would be, and when. */
export type Deciding = { readonly reviewer: Reviewer } & Pick<DecisionFacts, 'requesters' | 'now'>;

/**
 * A decision and what it does to the run are one append: the approval is consumed by the very event that starts the call.
 * The door was asked again for this action: if the tool changed since the reviewer looked, nothing runs; if it now refuses, it refuses.
 * Arguments that the reviewer wrote and the tool does not take go back to the reviewer; the call waits on.
 */
export const resumeApprovedCall = (
  approval: Approval,
  run: LiveRun,
  body: DecideApprovalBody,
  asked: Asked,
  verdict: Verdict,
  { reviewer, requesters, now }: Deciding,
): Decision<CallEvents> => {
  const decided = decideApproval(approval, body, { actionDigest: asked.action.actionDigest, requesters, now }, reviewer);
  if (!decided.ok || approval.status !== 'pending') return decided.ok ? accept({ run: [], goal: [], approval: [] }) : decided;
  const { approvalId, callId, actionDigest } = approval.request;
  if (callId === null) return missing();
  const resumed: RunEvent = { type: 'RunResumed', data: { callId, approvalId, decision: body.decision } };
  if (body.decision !== 'approved') {
    const reason = body.decision === 'rejected' ? 'rejected' : 'changes_requested';
    const denial = denialEvents(asked, { route: 'deny', reason, rule: 'approval', facts: { ...(body.reason !== undefined && { reason: body.reason }), by: reviewer.actor.id } });
    const ending = run.kind === 'task' ? endingEvents({ status: 'failed', stopReason: 'approval_rejected', reason: body.reason ?? reason }) : undefined;
    return accept({ run: [resumed, ...denial.run, ...(ending?.run ?? [])], goal: ending?.goal ?? [], approval: decided.events });
  }
  if (body.arguments !== undefined && verdict.route === 'deny' && verdict.rule === 'input') {
    const errors = asked.inputs.argumentProblems.map(({ path, message }) => ({ pointer: `/arguments${path}`, detail: message }));
    return reject('invalid', 'VALIDATION_FAILED', 'The tool does not take these arguments.', { errors });
  }
  if (body.arguments === undefined && asked.action.actionDigest !== actionDigest) {
    return reject('conflict', 'ACTION_CHANGED', 'The tool or its schema changed after this call was asked for; the agent must propose it again.', {
      requested: actionDigest, current: asked.action.actionDigest,
    });
  }
  if (!decided.events.some(({ type }) => type === 'ApprovalApproved')) return accept({ run: [], goal: [], approval: decided.events });
  if (verdict.route === 'deny') {
    const denial = denialEvents(asked, verdict);
    return accept({ run: [resumed, ...denial.run], goal: denial.goal, approval: decided.events });
  }
  if (verdict.route !== 'execute') return reject('conflict', 'CONFLICT', 'This action cannot run now; look at the site\'s rules and decide again.');
  return accept({ run: [resumed, authorisedEvent(asked, verdict, approvalId)], goal: [], approval: decided.events });
};
