import { accept, type Decision } from '@app/kernel';
import type { ApprovalEvent } from '@app/approvals/contract';
import type { CollectionWrites } from '@app/load-guard/contract';
import { callsInFlight, endingEvents, isLive, type Ending, type LiveRun, type OpenedRun, type RunEvent } from '@app/runs/contract';
import { maskSecrets } from '@app/vault/contract';
import type { CallEvents } from '../request-tool-call/request-tool-call.decide';

/** What became of a handler. The bytes of a result count only for tools whose result is an artifact. `writes`: what it wrote to items, by collection, whether it ended well or not. */
export type CallOutcome = { readonly writes?: readonly CollectionWrites[] } & (
  | { readonly ok: true; readonly result: unknown; readonly runtimeMs: number; readonly resultBytes: number; readonly replacedCharacters?: number }
  | { readonly ok: false; readonly reason: 'handler_failed' | 'timeout' | 'reported'; readonly error: string; readonly runtimeMs: number }
);

/** Records an outcome once, and no secret of it. It may end the run: a task is done, a budget is used up, or a cancel waited for this boundary. */
export const settleToolCall = (run: OpenedRun, callId: string, told: CallOutcome): Decision<CallEvents> => {
  const outcome = maskSecrets(told).masked;
  const call = run.calls.open[callId];
  if (call?.status !== 'authorised') return accept({ run: [], goal: [], approval: [] });
  const { approvalId, reservedCostUsd, artifact } = call.asked;
  const artifactBytes = outcome.ok && artifact ? outcome.resultBytes : 0;
  const { runtimeMs } = outcome;
  const settled: RunEvent = outcome.ok
    ? { type: 'ToolCallSucceeded', data: { callId, result: outcome.result as never, runtimeMs, costUsd: reservedCostUsd, artifactBytes, ...(outcome.replacedCharacters !== undefined && { replacedCharacters: outcome.replacedCharacters }) } }
    : {
        type: 'ToolCallFailed',
        data: { callId, reason: outcome.reason, error: outcome.error, runtimeMs, costUsd: reservedCostUsd, ...(approvalId !== undefined && { approvalId }) },
      };
  const { writes = [] } = outcome;
  const flushed: RunEvent[] = writes.length === 0 ? [] : [{ type: 'WritesFlushed', data: { callId, collections: writes.map((each) => ({ ...each })) } }];
  const parkedAgain: RunEvent[] = !outcome.ok && approvalId !== undefined && isLive(run) ? [{ type: 'RunParked', data: { callId, approvalId } }] : [];
  const approval: ApprovalEvent[] =
    approvalId === undefined ? [] : [outcome.ok ? { type: 'ApprovedCallSucceeded', data: { callId } } : { type: 'ApprovedCallFailed', data: { callId, error: outcome.error } }];
  const ending = isLive(run) ? endingOf(run, callId, outcome, artifactBytes) : undefined;
  const ended = ending && endingEvents(ending);
  return accept({ run: [...flushed, settled, ...parkedAgain, ...(ended?.run ?? [])], goal: ended?.goal ?? [], approval });
};

const endingOf = (run: LiveRun, callId: string, outcome: CallOutcome, artifactBytes: number): Ending | undefined => {
  const { spent, envelope } = run;
  const wasLast = callsInFlight(run).every((call) => call.callId === callId);
  if (run.cancelRequested && wasLast) return { status: 'cancelled', stopReason: 'cancelled_by_user' };
  const exhausted = (stopReason: 'budget_artifact_bytes' | 'budget_timeout'): Ending => ({ status: 'failed', stopReason, reason: `The call ${callId} used up the budget` });
  if (spent.artifactBytes + artifactBytes > envelope.budget.maxArtifactBytes) return exhausted('budget_artifact_bytes');
  const call = run.calls.open[callId];
  const waitsAgain = call?.status === 'authorised' && call.asked.approvalId !== undefined && !outcome.ok;
  if (!outcome.ok && outcome.reason === 'timeout' && spent.runtimeMs + outcome.runtimeMs >= envelope.budget.timeoutMs) return exhausted('budget_timeout');
  if (run.kind === 'external' || waitsAgain) return undefined;
  return outcome.ok ? { status: 'succeeded', result: outcome.result } : { status: 'failed', stopReason: 'tool_failed', reason: outcome.error };
};
