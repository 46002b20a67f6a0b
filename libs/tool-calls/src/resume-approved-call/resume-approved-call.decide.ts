import { accept, reject, type Context, type Decision } from '@app/kernel';
import { decideApproval, type Approval, type DecideApprovalBody } from '@app/approvals/contract';
import { endingEvents, type LiveRun, type RunEvent } from '@app/runs/contract';
import type { Verdict } from '../door/door.policy';
import { denialEvents, type Action, type CallEvents } from '../request-tool-call/request-tool-call.decide';

/**
 * A decision and what it does to the run are one append: the approval is consumed by the very event that starts the call.
 * The door was asked again for `action`: if the tool changed since the reviewer looked, nothing runs; if it now refuses, it refuses.
 */
export const resumeApprovedCall = (
  approval: Approval,
  run: LiveRun,
  body: DecideApprovalBody,
  action: Action,
  verdict: Verdict,
  governanceVersion: number,
  context: Pick<Context, 'actor' | 'now'>,
): Decision<CallEvents> => {
  const decided = decideApproval(approval, body, action.actionDigest, context);
  if (!decided.ok || approval.status !== 'pending') return decided.ok ? accept({ run: [], goal: [], approval: [] }) : decided;
  const { approvalId, callId, actionDigest } = approval.request;
  const resumed: RunEvent = { type: 'RunResumed', data: { callId, approvalId, decision: body.decision } };
  if (body.decision !== 'approved') {
    const reason = body.decision === 'rejected' ? 'rejected' : 'changes_requested';
    const denial = denialEvents(action, { route: 'deny', reason, rule: 'approval', facts: { reason: body.reason, by: context.actor.id } }, governanceVersion);
    const ending = run.kind === 'task' ? endingEvents({ status: 'failed', stopReason: 'approval_rejected', reason: body.reason ?? reason }) : undefined;
    return accept({ run: [resumed, ...denial.run, ...(ending?.run ?? [])], goal: ending?.goal ?? [], approval: decided.events });
  }
  if (body.arguments === undefined && action.actionDigest !== actionDigest) {
    return reject('conflict', 'ACTION_CHANGED', 'The tool or its schema changed after this call was asked for; the agent must propose it again.', {
      requested: actionDigest, current: action.actionDigest,
    });
  }
  if (verdict.route === 'deny') {
    const denial = denialEvents(action, verdict, governanceVersion);
    return accept({ run: [resumed, ...denial.run], goal: denial.goal, approval: decided.events });
  }
  if (verdict.route === 'ask') return reject('conflict', 'CONFLICT', 'This action needs another approval.');
  const { autonomy, capability, budgetBefore, timeoutMs, reservedCostUsd, artifact } = verdict;
  const authorised: RunEvent = {
    type: 'ToolCallAuthorised',
    data: { ...action, arguments: action.arguments as Record<string, never>, governanceVersion, autonomy, capability, budgetBefore, timeoutMs, reservedCostUsd, artifact, approvalId },
  };
  return accept({ run: [resumed, authorised], goal: [], approval: decided.events });
};
