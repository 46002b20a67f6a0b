import { accept, reject, type Context, type Decision } from '@app/kernel';
import type { ApprovalEvent } from '@app/approvals/contract';
import type { GoalEvent } from '@app/goals/contract';
import { endingEvents, type LiveRun, type Run, type RunEvent } from '@app/runs/contract';
import { domainOf } from '@app/governance/contract';
import type { DoorInputs, Verdict } from '../door/door.policy';

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

/** The action, the facts it was decided on, and the version of the rules: what every decision records. */
export type Asked = { readonly action: Action; readonly inputs: DoorInputs; readonly governanceVersion: number };

const recorded = ({ action, inputs, governanceVersion }: Asked) => ({
  ...action,
  arguments: action.arguments as Record<string, never>,
  governanceVersion,
  inputs: { ...inputs, capabilities: [...inputs.capabilities], argumentProblems: [...inputs.argumentProblems], pinnedFields: [...inputs.pinnedFields] },
});
const shadowOf = (shadow: Extract<Verdict, { route: 'ask' }>['shadow']) => shadow.map(({ rule, then }) => ({ rule, then: { ...then } }));

/** The events of a refusal; some refusals end the run, and with it the goal. */
export const denialEvents = (asked: Asked, { reason, rule, facts, stop, shadow }: Extract<Verdict, { route: 'deny' }>): Omit<CallEvents, 'approval'> => {
  const denied: RunEvent = {
    type: 'ToolCallDenied',
    data: {
      ...recorded(asked), reason, rule, ...(facts !== undefined && { facts: facts as Record<string, never> }),
      ...(shadow !== undefined && shadow.length > 0 && { shadow: shadowOf(shadow) }),
    },
  };
  const ending = stop && endingEvents({ ...stop, reason: `A call to ${asked.action.tool} was refused: ${reason}` });
  return { run: [denied, ...(ending?.run ?? [])], goal: ending?.goal ?? [] };
};

/** The authorisation of a call, for the first time or after an approval. */
export const authorisedEvent = (asked: Asked, { route: _route, shadow, ...verdict }: Extract<Verdict, { route: 'execute' }>, approvalId?: string): RunEvent => ({
  type: 'ToolCallAuthorised',
  data: { ...recorded(asked), ...verdict, shadow: shadowOf(shadow), ...(approvalId !== undefined && { approvalId }) },
});

/** What a new call adds to the log: an authorisation, a parked call with its approval, a deferral, or a refusal. */
export const requestToolCall = (
  run: LiveRun,
  asked: Asked,
  verdict: Verdict,
  approvalId: string,
  approvalExpiryMs: number,
  { actor, now }: Pick<Context, 'actor' | 'now'>,
): Decision<CallEvents> => {
  if (verdict.route === 'deny') return accept({ ...denialEvents(asked, verdict), approval: [] });
  if (verdict.route === 'defer') {
    const { reason, rule, retryAfterMs } = verdict;
    return accept({ run: [{ type: 'ToolCallDeferred', data: { ...recorded(asked), reason, rule, retryAfterMs } }], goal: [], approval: [] });
  }
  if (verdict.route === 'execute') return accept({ run: [authorisedEvent(asked, verdict)], goal: [], approval: [] });
  const { autonomy, capability, budgetBefore, policy, shadow } = verdict;
  const { callId, tool, arguments: shown, actionDigest } = asked.action;
  const terms = verdict.route === 'ask' ? verdict : { domain: domainOf(capability), quorum: 1, humanOnly: false };
  return accept({
    run: [
      { type: 'ToolCallParked', data: { ...recorded(asked), autonomy, capability, budgetBefore, policy, shadow: shadowOf(shadow), approvalId } },
      { type: 'RunParked', data: { callId, approvalId } },
    ],
    goal: [],
    approval: [
      {
        type: 'ApprovalRequested',
        data: {
          approvalId, kind: 'tool_call', domain: terms.domain, quorum: terms.quorum, humanOnly: terms.humanOnly, goalId: run.goalId, runId: run.runId, callId, tool,
          arguments: shown as Record<string, never>, actionDigest, capability, policy: policy ?? 'dangerous_tool', agentRole: run.agentRole ?? null,
          requestedBy: { kind: actor.kind, id: actor.id, ...(actor.role !== undefined && { role: actor.role }) },
          requestedAt: now.toISOString(), expiresAt: new Date(now.getTime() + approvalExpiryMs).toISOString(), autoCommitAt: null,
        },
      },
    ],
  });
};
