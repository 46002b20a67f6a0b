import { accept, reject, type Context, type Decision } from '@app/kernel';
import { personOf, type ApprovalEvent } from '@app/approvals/contract';
import type { GoalEvent } from '@app/goals/contract';
import { endingEvents, type Call, type LiveRun, type Run, type RunEvent } from '@app/runs/contract';
import { domainOf, type EffectiveTool } from '@app/governance/contract';
import { stageChange, type StagingEvent } from '@app/staging/contract';
import type { DoorInputs, Verdict } from '../door/door.policy';
import type { CallTarget } from './call-target.view';

/** One exact action: what was asked, after the schema's defaults, with the digest that a decision about it must name. */
export type Action = {
  readonly callId: string;
  readonly tool: string;
  /** As recorded and as policies see them: without secrets. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly masked?: true | undefined;
  readonly argumentsHash: string;
  readonly actionDigest: string;
};
/** An action, where its arguments break the tool's schema, what it would run with, and which texts of that are secret. */
export type Prepared = {
  readonly action: Action;
  readonly problems: DoorInputs['argumentProblems'];
  readonly exact: Readonly<Record<string, unknown>>;
  readonly secrets: readonly string[];
};
/** The exact action a request means under the tool's present definition. Deterministic: equal questions give equal actions. */
export type PrepareAction = (
  asked: {
    readonly siteId: string;
    readonly runId: string;
    readonly callId: string;
    readonly tool: string;
    readonly arguments: Readonly<Record<string, unknown>>;
    /** Of the site; present exactly when the arguments hold secrets. */
    readonly pepper?: string | undefined;
  },
  tool: EffectiveTool | undefined,
) => Prepared;
export type CallEvents = { readonly run: readonly RunEvent[]; readonly goal: readonly GoalEvent[]; readonly approval: readonly ApprovalEvent[]; readonly staging?: readonly StagingEvent[] };

export const runIsOver = (run: Exclude<Run, LiveRun>) =>
  run.status === 'queued' ? reject('conflict', 'CONFLICT', 'This run waits for a worker, which carries out its task.', { runStatus: run.status }) : reject('conflict', 'RUN_TERMINAL', 'This run has ended; open a new one.', {
    runStatus: run.status,
    stopReason: 'stopReason' in run ? run.stopReason : null,
  });

/** A call id names one action for ever. */
export const differentAction = (callId: string) =>
  reject('invalid', 'IDEMPOTENCY_MISMATCH', `Call ${callId} was another action; use a new callId for a new action.`, { callId });

/** The action, the facts it was decided on, the version of the rules, who would run it, and its exact arguments, sealed, when they hold secrets: what a decision records. */
export type Asked = {
  readonly action: Action;
  readonly inputs: DoorInputs;
  readonly governanceVersion: number;
  readonly handledBy?: string | undefined;
  readonly sealed?: string | undefined;
};

const recorded = ({ action, inputs, governanceVersion }: Asked) => ({
  ...action,
  arguments: action.arguments as Record<string, never>,
  governanceVersion,
  inputs: {
    ...inputs, capabilities: [...inputs.capabilities], argumentProblems: [...inputs.argumentProblems], pinnedFields: [...inputs.pinnedFields],
    targetProblems: inputs.targetProblems && [...inputs.targetProblems],
  },
});
/** Kept for as long as the call may still run with them. */
const sealedOf = ({ sealed }: Asked) => ({ ...(sealed !== undefined && { sealed }) });
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

/** The refusal of a call that waited, on the facts it was parked with: nothing was asked again. */
export const deniedAsAsked = (
  { callId, tool, arguments: input, masked, argumentsHash, actionDigest, governanceVersion, inputs }: Extract<Call, { status: 'parked' }>['asked'],
  refusal: { readonly reason: string; readonly rule: string; readonly facts: Readonly<Record<string, string>> },
): RunEvent => ({
  type: 'ToolCallDenied', data: { callId, tool, arguments: input, ...(masked && { masked }), argumentsHash, actionDigest, governanceVersion, inputs, ...refusal },
});

/** The authorisation of a call, for the first time or after an approval. */
export const authorisedEvent = (asked: Asked, { route: _route, shadow, ...verdict }: Extract<Verdict, { route: 'execute' }>, approvalId?: string): RunEvent => ({
  type: 'ToolCallAuthorised',
  data: {
    ...recorded(asked), ...sealedOf(asked), ...verdict, shadow: shadowOf(shadow), ...(approvalId !== undefined && { approvalId }), ...(asked.handledBy !== undefined && { handledBy: asked.handledBy }),
  },
});

/** The tool and what it is aimed at, as a reviewer reads it in a list. */
export const subjectOf = (tool: string, input: Readonly<Record<string, unknown>>) =>
  [tool, ...['collection', 'id', 'name'].map((key) => input[key]).filter((value) => typeof value === 'string')].join(' ').slice(0, 300);

/** What a call that may be staged would be staged as. */
export type StageAs = { readonly stagingId: string; readonly target: CallTarget; readonly intentId: string | null };

/**
 * The change waits on its own from here on: the run does not wait for it, and a task has done what it could. The live item is untouched.
 */
const stagedEvents = (
  run: LiveRun,
  asked: Asked,
  { route: _route, windowMs, ...verdict }: Extract<Verdict, { route: 'stage' }>,
  approvalId: string,
  { stagingId, target: { collection, itemId, version, patch }, intentId }: StageAs,
  { actor, now }: Pick<Context, 'actor' | 'now'>,
): CallEvents => {
  const { runId, goalId, agentName, agentRole = null, envelope, constitution } = run;
  const { callId, tool, arguments: shown, actionDigest } = asked.action;
  const { capability, policy } = verdict;
  const json = (data: Readonly<Record<string, unknown>> = {}) => data as Record<string, never>;
  const { staging, approval } = stageChange(
    {
      stagingId, siteId: envelope.context.siteId, collection, itemId, patch: json(patch?.after), before: json(patch?.before), baseVersion: version, goalId, runId, callId, tool,
      actionDigest, author: { kind: 'agent', id: envelope.principalId, ...(agentRole !== null && { role: agentRole }) }, agentName, agentRole, intentId, capability,
      approvalId, constitutionHash: constitution?.hash ?? null,
    },
    { domain: domainOf(capability), subject: subjectOf(tool, shown), arguments: shown, policy: policy ?? 'dangerous_tool', requestedBy: actor },
    now, windowMs,
  );
  const { autoCommitAt } = staging.data;
  const staged: RunEvent = { type: 'ToolCallStaged', data: { ...recorded(asked), ...verdict, shadow: shadowOf(verdict.shadow), stagingId, approvalId, autoCommitAt } };
  const ending = run.kind === 'task' ? endingEvents({ status: 'succeeded', result: { status: 'staged', stagingId, autoCommitAt } }) : undefined;
  return { run: [staged, ...(ending?.run ?? [])], goal: ending?.goal ?? [], approval: [approval], staging: [staging] };
};

/**
 * What a new call adds to the log: an authorisation, a staged change, a parked call with its approval, a deferral, or a refusal. What may be
 * staged but has no item to be staged for is asked, and so is what holds secrets: a staged change lies open until its window ends.
 */
export const requestToolCall = (
  run: LiveRun,
  asked: Asked,
  verdict: Verdict,
  approvalId: string,
  approvalExpiryMs: number,
  { actor, now }: Pick<Context, 'actor' | 'now'>,
  stageAs?: StageAs,
): Decision<CallEvents> => {
  if (verdict.route === 'stage' && stageAs?.target.patch && !asked.action.masked) return accept(stagedEvents(run, asked, verdict, approvalId, stageAs, { actor, now }));
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
      { type: 'ToolCallParked', data: { ...recorded(asked), ...sealedOf(asked), autonomy, capability, budgetBefore, policy, shadow: shadowOf(shadow), approvalId } },
      { type: 'RunParked', data: { callId, approvalId } },
    ],
    goal: [],
    approval: [
      {
        type: 'ApprovalRequested',
        data: {
          approvalId, siteId: run.envelope.context.siteId, kind: 'tool_call', subject: subjectOf(tool, shown), domain: terms.domain, quorum: terms.quorum, humanOnly: terms.humanOnly, goalId: run.goalId, runId: run.runId, callId, tool,
          arguments: shown as Record<string, never>, ...sealedOf(asked), actionDigest, capability, policy: policy ?? 'dangerous_tool', agentRole: run.agentRole ?? null,
          requestedBy: personOf(actor),
          requestedAt: now.toISOString(), expiresAt: new Date(now.getTime() + approvalExpiryMs).toISOString(), autoCommitAt: null,
        },
      },
    ],
  });
};
