import { unreachable, type Aggregate } from '@app/kernel';
import { NOTHING_SPENT, type Envelope, type Spent, type StopReason } from './budget.schema';
import type { RunEvent } from './run.events';

type EventData<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>['data'];

/** What a reviewer told the agent about a call that waits. */
export type Answer = { readonly by: string; readonly text: string };

/** One tool call of a run. `argumentsHash` is that of what the agent asked for, whatever a reviewer approved instead. `authorised` without an outcome means that its handler is running, or that its worker was lost. */
export type Call = { readonly callId: string; readonly tool: string; readonly argumentsHash: string; readonly actionDigest?: string } & (
  | { readonly status: 'authorised'; readonly asked: EventData<'ToolCallAuthorised'> }
  | { readonly status: 'parked'; readonly asked: EventData<'ToolCallParked'>; readonly lastError?: string; readonly answers?: readonly Answer[] }
  | { readonly status: 'staged'; readonly asked: EventData<'ToolCallStaged'> }
  | { readonly status: 'denied'; readonly denial: EventData<'ToolCallDenied'> }
  | { readonly status: 'deferred'; readonly deferral: EventData<'ToolCallDeferred'> }
  | { readonly status: 'executed'; readonly asked: EventData<'ToolCallAuthorised'>; readonly result: unknown }
  | { readonly status: 'failed'; readonly asked: EventData<'ToolCallAuthorised'>; readonly reason: string; readonly error: string }
);

export type LiveStatus = 'running' | 'awaiting_approval';
export type FinalStatus = 'succeeded' | 'failed' | 'cancelled';

type Opened = {
  readonly runId: string;
  readonly goalId: string;
  readonly agentName: string;
  readonly agentRole?: string;
  readonly kind: 'task' | 'external';
  readonly envelope: Envelope;
  /** Pinned at the start, when one was in force. */
  readonly constitution?: EventData<'ConstitutionPinned'>;
  readonly spent: Spent;
  readonly calls: Readonly<Record<string, Call>>;
  readonly approvals: readonly string[];
};

export type LiveRun = Opened & { readonly status: LiveStatus; readonly cancelRequested: boolean };
export type FinishedRun = Opened & {
  readonly status: FinalStatus;
  readonly stopReason: StopReason | null;
  readonly reason?: string;
  readonly result?: unknown;
};
export type Run = { readonly status: 'none' } | { readonly status: 'starting'; readonly started: EventData<'RunStarted'> } | LiveRun | FinishedRun;

export const isLive = (run: Run): run is LiveRun => run.status === 'running' || run.status === 'awaiting_approval';
export const isFinished = (run: Run): run is FinishedRun => run.status === 'succeeded' || run.status === 'failed' || run.status === 'cancelled';

export const callsOf = (run: LiveRun | FinishedRun): readonly Call[] => Object.values(run.calls);
/** Approvals that still hold a call of this run. */
export const openApprovalsOf = (run: LiveRun | FinishedRun): readonly string[] =>
  callsOf(run).flatMap((call) => (call.status === 'parked' ? [call.asked.approvalId] : []));
export const callsInFlight = (run: LiveRun | FinishedRun): readonly Call[] => callsOf(run).filter(({ status }) => status === 'authorised');

export const run: Aggregate<Run, RunEvent> = {
  category: 'run',
  stateVersion: 2,
  initial: { status: 'none' },
  evolve: (state, event) => {
    if (event.type === 'RunStarted') return { status: 'starting', started: event.data };
    if (event.type === 'EnvelopeSealed') return state.status === 'starting' ? opened(state.started, event.data.envelope) : state;
    if (state.status === 'none' || state.status === 'starting') return state;
    switch (event.type) {
      case 'ConstitutionPinned':
        return { constitution: event.data, ...state };
      case 'ToolCallAuthorised':
        return {
          ...withCall(state, { ...keyOf(event.data), actionDigest: event.data.actionDigest, status: 'authorised', asked: event.data }),
          // An approved call was counted when it parked.
          spent: spend(state.spent, event.data.approvalId === undefined ? 1 : 0, 0, event.data.reservedCostUsd, 0),
        };
      case 'ToolCallParked':
        return {
          ...withCall(state, { ...keyOf(event.data), actionDigest: event.data.actionDigest, status: 'parked', asked: event.data }),
          spent: spend(state.spent, 1, 0, 0, 0),
          approvals: [...state.approvals, event.data.approvalId],
        };
      case 'ToolCallStaged':
        return {
          ...withCall(state, { ...keyOf(event.data), actionDigest: event.data.actionDigest, status: 'staged', asked: event.data }),
          spent: spend(state.spent, 1, 0, 0, 0),
          approvals: [...state.approvals, event.data.approvalId],
        };
      case 'ToolCallAnswered':
        return answered(state, event.data);
      case 'ToolCallDenied':
        return withCall(state, { ...keyOf(event.data), status: 'denied', denial: event.data });
      case 'ToolCallDeferred':
        return withCall(state, { ...keyOf(event.data), status: 'deferred', deferral: event.data });
      case 'ToolCallSucceeded':
        return settled(state, event.data, (asked, call) => ({ ...call, status: 'executed', asked, result: event.data.result }));
      case 'ToolCallFailed':
        return settled(state, { ...event.data, artifactBytes: 0 }, (asked, call) => failed(event.data, asked, call));
      case 'RunParked':
        return isLive(state) ? { ...state, status: 'awaiting_approval' } : state;
      case 'RunResumed':
        return isLive(state) ? { ...state, status: openApprovalsOf(state).some((id) => id !== event.data.approvalId) ? 'awaiting_approval' : 'running' } : state;
      case 'RunCancelRequested':
        return isLive(state) ? { ...state, cancelRequested: true } : state;
      case 'RunCancelled':
        return finish(state, 'cancelled', event.data);
      case 'RunSucceeded':
        return finish(state, 'succeeded', event.data);
      case 'RunFailed':
        return finish(state, 'failed', event.data);
      default:
        return unreachable(event);
    }
  },
};

const opened = (started: EventData<'RunStarted'>, envelope: Envelope): LiveRun => ({
  runId: started.runId,
  goalId: started.goalId,
  agentName: started.agentName,
  ...(started.agentRole !== undefined && { agentRole: started.agentRole }),
  kind: started.kind,
  envelope,
  spent: NOTHING_SPENT,
  calls: {},
  approvals: [],
  status: 'running',
  cancelRequested: false,
});

const keyOf = ({ callId, tool, argumentsHash }: { callId: string; tool: string; argumentsHash: string }) => ({ callId, tool, argumentsHash });

/** A reviewer may have changed the arguments of a call that waited; for its agent it is still the call that was asked for. */
const withCall = <R extends LiveRun | FinishedRun>(state: R, call: Call): R => {
  const before = state.calls[call.callId];
  const argumentsHash = before?.status === 'parked' ? before.argumentsHash : call.argumentsHash;
  return { ...state, calls: { ...state.calls, [call.callId]: { ...call, argumentsHash } } };
};

const answered = <R extends LiveRun | FinishedRun>(state: R, { callId, by, text }: EventData<'ToolCallAnswered'>): R => {
  const call = state.calls[callId];
  return call?.status === 'parked' ? withCall(state, { ...call, answers: [...(call.answers ?? []), { by, text }] }) : state;
};

const spend = (spent: Spent, toolCalls: number, runtimeMs: number, costUsd: number, artifactBytes: number): Spent => ({
  toolCalls: spent.toolCalls + toolCalls,
  runtimeMs: sum(spent.runtimeMs, runtimeMs),
  costUsd: sum(spent.costUsd, costUsd),
  artifactBytes: spent.artifactBytes + artifactBytes,
});

/** To the millionth, so that adding tenths never shows as 0.30000000000000004. */
const sum = (a: number, b: number) => Math.round((a + b) * 1e6) / 1e6;

type Cost = { readonly callId: string; readonly runtimeMs: number; readonly costUsd: number; readonly artifactBytes: number };

/** The reservation of a call is replaced by what it really cost. */
const settled = <R extends LiveRun | FinishedRun>(
  state: R,
  cost: Cost,
  outcome: (asked: EventData<'ToolCallAuthorised'>, call: ReturnType<typeof keyOf> & { actionDigest: string }) => Call,
): R => {
  const call = state.calls[cost.callId];
  if (call?.status !== 'authorised') return state;
  const next = withCall(state, outcome(call.asked, { ...keyOf(call), actionDigest: call.asked.actionDigest }));
  return { ...next, spent: spend(state.spent, 0, cost.runtimeMs, cost.costUsd - call.asked.reservedCostUsd, cost.artifactBytes) };
};

const failed = (
  { approvalId, reason, error }: EventData<'ToolCallFailed'>,
  asked: EventData<'ToolCallAuthorised'>,
  call: ReturnType<typeof keyOf> & { actionDigest: string },
): Call => {
  if (approvalId === undefined) return { ...call, status: 'failed', asked, reason, error };
  const { timeoutMs: _timeout, reservedCostUsd: _reserved, artifact: _artifact, ...parked } = asked;
  return { ...call, status: 'parked', asked: { ...parked, approvalId }, lastError: error };
};

const finish = (
  state: LiveRun | FinishedRun,
  status: FinalStatus,
  { stopReason, reason, result }: { stopReason?: StopReason | undefined; reason?: string | undefined; result?: unknown },
): FinishedRun => {
  if (isFinished(state)) return state;
  const { cancelRequested: _asked, ...rest } = state;
  return { ...rest, status, stopReason: stopReason ?? null, ...(reason !== undefined && { reason }), ...(result !== undefined && { result }) };
};
