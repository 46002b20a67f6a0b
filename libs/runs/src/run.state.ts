import { unreachable, type Aggregate } from '@app/kernel';
import { NOTHING_SPENT, type Envelope, type Spent, type StopReason } from './budget.schema';
import { NO_CALLS, withOpen, withSettled, type Calls, type CallKey, type OpenCall } from './run-calls.state';
import { withoutWords } from './forgotten-run.policy';
import type { RunEvent } from './run.events';
import { spend } from './spend.policy';

type EventData<T extends RunEvent['type']> = Extract<RunEvent, { type: T }>['data'];

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
  /** What it carries out; none for a run that its own agent drives. */
  readonly task?: EventData<'RunStarted'>['task'];
  /** The worker that carries it out. */
  readonly lease?: string;
  readonly fork?: EventData<'RunForked'>;
  readonly spent: Spent;
  readonly calls: Calls;
  readonly approvals: readonly string[];
  /** When everything that was said in it was forgotten. */
  readonly forgottenAt?: string;
  /** Of its stream, so that the events of a settled call can be found. */
  readonly version: number;
};

/** Waits for a worker; nothing of it has run. */
export type QueuedRun = Opened & { readonly status: 'queued' };
export type LiveRun = Opened & { readonly status: LiveStatus; readonly cancelRequested: boolean };
export type FinishedRun = Opened & {
  readonly status: FinalStatus;
  readonly stopReason: StopReason | null;
  readonly reason?: string;
  readonly result?: unknown;
};
export type OpenedRun = QueuedRun | LiveRun | FinishedRun;
export type Run =
  | { readonly status: 'none' }
  | { readonly status: 'starting'; readonly started: EventData<'RunStarted'> }
  | { readonly status: 'queueing'; readonly queued: EventData<'RunQueued'> }
  | OpenedRun;

export const isLive = (run: Run): run is LiveRun => run.status === 'running' || run.status === 'awaiting_approval';
export const isFinished = (run: Run): run is FinishedRun => run.status === 'succeeded' || run.status === 'failed' || run.status === 'cancelled';

export const isOpened = (run: Run): run is OpenedRun => run.status === 'queued' || isLive(run) || isFinished(run);

export const openCallsOf = ({ calls }: OpenedRun): readonly OpenCall[] => Object.values(calls.open);
/** Approvals that still hold a call of this run. */
export const openApprovalsOf = (run: OpenedRun): readonly string[] =>
  openCallsOf(run).flatMap((call) => (call.status === 'parked' ? [call.asked.approvalId] : call.status === 'indeterminate' ? [call.question.approvalId] : []));
type InFlight = Extract<OpenCall, { status: 'authorised' }>;
export const callsInFlight = (run: OpenedRun): readonly InFlight[] => openCallsOf(run).filter((call): call is InFlight => call.status === 'authorised');

export const run: Aggregate<Run, RunEvent> = {
  category: 'run',
  stateVersion: 3,
  initial: { status: 'none' },
  bytesOf: (state) => (isOpened(state) ? 1_000 + state.calls.settled.length * BLOCK_BYTES + Object.keys(state.calls.open).length * OPEN_BYTES : 1_000),
  evolve: (state, event) => {
    if (event.type === 'RunQueued') return { status: 'queueing', queued: event.data };
    if (event.type === 'RunStarted') return state.status === 'queued' ? { ...state, status: 'running', cancelRequested: false, version: state.version + 1 } : { status: 'starting', started: event.data };
    if (event.type === 'EnvelopeSealed') return sealed(state, event.data.envelope);
    if (!isOpened(state)) return state;
    const next = { ...state, version: state.version + 1 };
    switch (event.type) {
      case 'ConstitutionPinned':
        return { constitution: event.data, ...next };
      case 'ToolCallAuthorised':
        return authorised(next, event.data);
      case 'ToolCallParked':
        return {
          ...withOpenCall(next, { ...keyOf(event.data), status: 'parked', asked: event.data }),
          spent: spend(next.spent, lostBefore(next, event.data.callId) ? 0 : 1, 0, 0, 0),
          approvals: [...next.approvals, event.data.approvalId],
        };
      case 'ToolCallStaged':
        return {
          ...next, calls: withSettled(next.calls, { ...keyOf(event.data), status: 'staged', at: next.version, approvalId: event.data.approvalId }),
          spent: spend(next.spent, 1, 0, 0, 0),
          approvals: [...next.approvals, event.data.approvalId],
        };
      case 'ToolCallAnswered':
        return answered(next, event.data);
      case 'ToolCallDenied': {
        const { callId, tool, argumentsHash, reason, rule } = event.data;
        return { ...next, calls: withSettled(next.calls, { callId, tool, argumentsHash, status: 'denied', at: next.version, reason, rule }) };
      }
      case 'ToolCallDeferred': {
        const { callId, tool, argumentsHash } = event.data;
        return withOpenCall(next, { callId, tool, argumentsHash, status: 'deferred', deferral: event.data });
      }
      case 'ToolCallSucceeded':
        return settled(next, event.data, { status: 'executed' });
      case 'ToolCallFailed':
        return event.data.approvalId === undefined
          ? settled(next, { ...event.data, artifactBytes: 0 }, { status: 'failed', rule: event.data.reason, reason: event.data.error.slice(0, SHOWN_ERROR) })
          : parkedAgain(next, event.data, event.data.approvalId);
      case 'ToolCallIndeterminate':
        return indeterminate(next, event.data);
      case 'IndeterminateResolved':
        return resolved(next, event.data);
      case 'LlmUsed':
        return { ...next, spent: spend(next.spent, 0, 0, event.data.costUsd, 0) };
      case 'BudgetShared':
        return { ...next, spent: spend(next.spent, event.data.toolCalls, 0, 0, 0) };
      case 'ArtifactAttached':
        return { ...next, spent: spend(next.spent, 0, 0, 0, event.data.bytes) };
      case 'LeaseTaken':
        return { ...next, lease: event.data.worker };
      case 'LeaseLost':
        return withoutLease(next);
      case 'RunForked':
        return { ...next, fork: event.data };
      case 'WritesFlushed':
      case 'RunDeadLettered':
      case 'RunRetried':
        return next;
      case 'RunParked':
        return isLive(next) ? withoutLease({ ...next, status: 'awaiting_approval' }) : next;
      case 'RunResumed':
        return isLive(next) ? { ...next, status: openApprovalsOf(next).some((id) => id !== event.data.approvalId) ? 'awaiting_approval' : 'running' } : next;
      case 'RunCancelRequested':
        return isLive(next) ? { ...next, cancelRequested: true } : next;
      case 'RunCancelled':
        return finish(next, 'cancelled', event.data);
      case 'RunSucceeded':
        return finish(next, 'succeeded', event.data);
      case 'RunFailed':
        return finish(next, 'failed', event.data);
      case 'RunForgotten':
        return isFinished(next) ? { ...withoutWords(next), forgottenAt: event.data.at } : next;
      default:
        return unreachable(event);
    }
  },
};

/** Of a block of 64 settled calls, about 200 bytes each. */
const BLOCK_BYTES = 12_800;
const OPEN_BYTES = 4_000;
/** What a run remembers of an error; the record has all of it. */
const SHOWN_ERROR = 200;

/** An envelope is sealed once, with the event that opens the run. */
const sealed = (state: Run, envelope: Envelope): Run => {
  if (state.status === 'starting') {
    const { runId, goalId, agentName, agentRole, kind, task } = state.started;
    return { ...opened({ runId, goalId, agentName, agentRole, task }, kind, envelope), status: 'running', cancelRequested: false };
  }
  return state.status === 'queueing' ? { ...opened(state.queued, 'task', envelope), status: 'queued' } : state;
};

const opened = (
  { runId, goalId, agentName, agentRole, task }: Pick<EventData<'RunStarted'>, 'runId' | 'goalId' | 'agentName' | 'agentRole' | 'task'>,
  kind: Opened['kind'],
  envelope: Envelope,
): Opened => ({
  runId, goalId, agentName, ...(agentRole !== undefined && { agentRole }), kind, envelope, ...(task !== undefined && { task }),
  spent: NOTHING_SPENT, calls: NO_CALLS, approvals: [], version: 2,
});

const keyOf = ({ callId, tool, argumentsHash, actionDigest }: Required<CallKey>): Required<CallKey> => ({ callId, tool, argumentsHash, actionDigest });

const withOpenCall = <R extends OpenedRun>(state: R, call: OpenCall): R => ({ ...state, calls: withOpen(state.calls, call) });

/** A call whose worker was lost, and which is decided again. */
const lostBefore = ({ calls }: OpenedRun, callId: string) => {
  const before = calls.open[callId];
  return before?.status === 'authorised' || before?.status === 'indeterminate' ? before : undefined;
};

/** An approved call was counted when it parked, and one that runs again after a loss when it was first authorised. */
const authorised = <R extends OpenedRun>(state: R, asked: EventData<'ToolCallAuthorised'>): R => {
  const again = lostBefore(state, asked.callId)?.asked;
  const opened = withOpenCall(state, { ...keyOf(asked), status: 'authorised', at: state.version, asked });
  return { ...opened, spent: spend(state.spent, asked.approvalId === undefined && !again ? 1 : 0, 0, asked.reservedCostUsd - (again?.reservedCostUsd ?? 0), 0) };
};

const withoutLease = <R extends OpenedRun>({ lease: _lease, ...state }: R): R => state as R;

const answered = <R extends OpenedRun>(state: R, { callId, by, text }: EventData<'ToolCallAnswered'>): R => {
  const call = state.calls.open[callId];
  return call?.status === 'parked' ? withOpenCall(state, { ...call, answers: [...(call.answers ?? []), { by, text }] }) : state;
};

type Cost = { readonly callId: string; readonly runtimeMs: number; readonly costUsd: number; readonly artifactBytes: number };

/** The reservation of a call is replaced by what it really cost. */
const paid = (state: OpenedRun, { reservedCostUsd }: EventData<'ToolCallAuthorised'>, { runtimeMs, costUsd, artifactBytes }: Cost) =>
  spend(state.spent, 0, runtimeMs, costUsd - reservedCostUsd, artifactBytes);

const settled = <R extends OpenedRun>(state: R, cost: Cost, outcome: { readonly status: 'executed' | 'failed'; readonly reason?: string; readonly rule?: string }): R => {
  const call = state.calls.open[cost.callId];
  return call?.status === 'authorised' ? { ...state, calls: withSettled(state.calls, settledCall(call, state.version, outcome)), spent: paid(state, call.asked, cost) } : state;
};

const settledCall = (
  { asked, ...call }: Extract<OpenCall, { status: 'authorised' | 'indeterminate' }>,
  version: number,
  outcome: { readonly status: 'executed' | 'failed'; readonly reason?: string; readonly rule?: string },
) => ({
  callId: call.callId, tool: call.tool, argumentsHash: call.argumentsHash, actionDigest: asked.actionDigest, at: call.at, outcomeAt: version,
  ...(asked.approvalId !== undefined && { approvalId: asked.approvalId }), ...outcome,
});

/** An approved call that failed waits again for its approval. */
const parkedAgain = <R extends OpenedRun>(state: R, cost: EventData<'ToolCallFailed'>, approvalId: string): R => {
  const call = state.calls.open[cost.callId];
  if (call?.status !== 'authorised') return state;
  const { timeoutMs: _timeout, reservedCostUsd: _reserved, artifact: _artifact, handledBy: _handler, ...parked } = call.asked;
  const { callId, tool, argumentsHash } = call;
  const waiting = withOpenCall(state, { callId, tool, argumentsHash, actionDigest: parked.actionDigest, status: 'parked', asked: { ...parked, approvalId }, lastError: cost.error });
  return { ...waiting, spent: paid(state, call.asked, { ...cost, artifactBytes: 0 }) };
};

const indeterminate = <R extends OpenedRun>(state: R, question: EventData<'ToolCallIndeterminate'>): R => {
  const call = state.calls.open[question.callId];
  if (call?.status !== 'authorised') return state;
  return { ...withOpenCall(state, { ...call, status: 'indeterminate', question }), approvals: [...state.approvals, question.approvalId] };
};

/** That it did not happen settles nothing yet: the door is asked again in the same append. */
const resolved = <R extends OpenedRun>(state: R, { callId, answer, reason }: EventData<'IndeterminateResolved'>): R => {
  const call = state.calls.open[callId];
  if (call?.status !== 'indeterminate' || answer === 'not_happened') return state;
  const outcome = answer === 'happened' ? ({ status: 'executed' } as const) : ({ status: 'failed', rule: 'indeterminate', reason: (reason ?? '').slice(0, SHOWN_ERROR) } as const);
  return { ...state, calls: withSettled(state.calls, settledCall(call, state.version, outcome)) };
};

const finish = (
  state: OpenedRun,
  status: FinalStatus,
  { stopReason, reason, result }: { stopReason?: StopReason | undefined; reason?: string | undefined; result?: unknown },
): FinishedRun => {
  if (isFinished(state)) return state;
  const { cancelRequested: _asked, lease: _lease, ...rest } = state as LiveRun;
  return { ...rest, status, stopReason: stopReason ?? null, ...(reason !== undefined && { reason }), ...(result !== undefined && { result }) };
};
