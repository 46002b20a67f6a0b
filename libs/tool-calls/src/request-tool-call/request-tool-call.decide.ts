import { accept, reject, type Context, type Decision } from '@app/kernel';
import type { ApprovalEvent } from '@app/approvals/contract';
import type { GoalEvent } from '@app/goals/contract';
import { endingEvents, type LiveRun, type Run, type RunEvent } from '@app/runs/contract';
import type { Verdict } from '../door/door.policy';

/** One exact action: what was asked, after the schema's defaults, with the digest that a decision about it must name. */
export type Action = {
  readonly callId: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly argumentsHash: string;
  readonly actionDigest: string;
};
export type CallEvents = { readonly run: readonly RunEvent[]; readonly goal: readonly GoalEvent[]; readonly approval: readonly ApprovalEvent[] };

export const runIsOver = (run: Exclude<Run, LiveRun>) =>
  reject('conflict', 'RUN_TERMINAL', 'This run has ended; open a new one.', {
    runStatus: run.status,
    stopReason: 'stopReason' in run ? run.stopReason : null,
  });

/** The events of a refusal; some refusals end the run, and with it the goal. */
export const denialEvents = (action: Action, verdict: Extract<Verdict, { route: 'deny' }>, governanceVersion: number): Omit<CallEvents, 'approval'> => {
  const { reason, rule, facts, stop } = verdict;
  const { callId, tool, argumentsHash } = action;
  const denied: RunEvent = {
    type: 'ToolCallDenied',
    data: { callId, tool, argumentsHash, governanceVersion, reason, rule, ...(facts !== undefined && { facts: facts as Record<string, never> }) },
  };
  const ending = stop && endingEvents({ ...stop, reason: `A call to ${tool} was refused: ${reason}` });
  return { run: [denied, ...(ending?.run ?? [])], goal: ending?.goal ?? [] };
};

/** What a new call adds to the log: an authorisation, a parked call with its approval, or a refusal. */
export const requestToolCall = (
  run: LiveRun,
  action: Action,
  verdict: Verdict,
  governanceVersion: number,
  approvalId: string,
  approvalTtlMs: number,
  { actor, now }: Pick<Context, 'actor' | 'now'>,
): Decision<CallEvents> => {
  if (verdict.route === 'deny') return accept({ ...denialEvents(action, verdict, governanceVersion), approval: [] });
  const { autonomy, capability, budgetBefore } = verdict;
  const asked = { ...action, arguments: action.arguments as Record<string, never>, governanceVersion, autonomy, capability, budgetBefore };
  if (verdict.route === 'execute') {
    const { timeoutMs, reservedCostUsd, artifact } = verdict;
    return accept({ run: [{ type: 'ToolCallAuthorised', data: { ...asked, timeoutMs, reservedCostUsd, artifact } }], goal: [], approval: [] });
  }
  const { callId, tool, arguments: shown, actionDigest } = asked;
  return accept({
    run: [
      { type: 'ToolCallParked', data: { ...asked, approvalId } },
      { type: 'RunParked', data: { callId, approvalId } },
    ],
    goal: [],
    approval: [
      {
        type: 'ApprovalRequested',
        data: {
          approvalId, kind: 'tool_call', domain: verdict.domain, goalId: run.goalId, runId: run.runId, callId, tool, arguments: shown, actionDigest,
          capability, policy: verdict.policy, requestedBy: { kind: actor.kind, id: actor.id, ...(actor.role !== undefined && { role: actor.role }) },
          requestedAt: now.toISOString(), expiresAt: new Date(now.getTime() + approvalTtlMs).toISOString(),
        },
      },
    ],
  });
};
