import { describe, expect, it } from '@jest/globals';
import { ApprovalPolicy, RUN_RISKS, RUN_STATUSES, Budget, Envelope, StopReason, STOP_REASONS } from './budget.schema';
import { authorised, envelope, fold, parked, started, succeeded } from './run.examples';
import { callIn } from './run-calls.state';
import { isFinished, isLive } from './run.state';

describe('A run', () => {
  it('[RUN-009] has one of six statuses', () => {
    expect(RUN_STATUSES).toEqual(['queued', 'running', 'awaiting_approval', 'succeeded', 'failed', 'cancelled']);
    expect(fold(...started()).status).toBe('running');
    expect(fold(...started(), ...parked('call_1', 'appr_1')).status).toBe('awaiting_approval');
  });

  it('[RUN-010] goes on when the approval it waits for is decided', () => {
    const waiting = [...started(), ...parked('call_1', 'appr_1')];
    expect(fold(...waiting, { type: 'RunResumed', data: { callId: 'call_1', approvalId: 'appr_1', decision: 'approved' } }).status).toBe('running');
  });

  it('waits as long as another of its calls is parked', () => {
    const state = fold(...started(), ...parked('call_1', 'appr_1'), ...parked('call_2', 'appr_2'), {
      type: 'RunResumed', data: { callId: 'call_1', approvalId: 'appr_1', decision: 'rejected' },
    });
    expect(state.status).toBe('awaiting_approval');
  });

  it('[RUN-013] knows exactly the stop reasons of the contract', () => {
    expect(STOP_REASONS).toEqual([
      'completed', 'cancelled_by_user', 'frozen', 'budget_tool_calls', 'budget_timeout', 'budget_cost', 'budget_artifact_bytes', 'timeout', 'tool_failed',
      'approval_rejected', 'approval_expired', 'queue_timeout', 'stale_unverified', 'dead_lettered',
    ]);
    expect(StopReason.safeParse('because').success).toBe(false);
  });

  it('[RUN-002] has the default budget where none is given', () => {
    expect(Budget.parse({})).toEqual({ maxToolCalls: 20, maxCostUsd: 2, timeoutMs: 30_000, maxArtifactBytes: 524_288 });
  });

  it('[RUN-003] has a risk of safe, review_required or dangerous', () => {
    expect(RUN_RISKS).toEqual(['safe', 'review_required', 'dangerous']);
    expect(Envelope.safeParse(envelope({ risk: 'harmless' as never })).success).toBe(false);
  });

  it('[RUN-004] has an approval policy of none, before_execute or before_commit', () => {
    expect(ApprovalPolicy.options).toEqual(['none', 'before_execute', 'before_commit']);
    expect(Envelope.safeParse(envelope({ approvalPolicy: 'sometimes' as never })).success).toBe(false);
  });

  it('counts a call once, whether it runs at once or after an approval', () => {
    const state = fold(...started(), authorised('call_1'), ...parked('call_2', 'appr_2'), authorised('call_2', { approvalId: 'appr_2' }));
    expect(isLive(state) && state.spent.toolCalls).toBe(2);
  });

  it('replaces a reservation by what the call cost', () => {
    const state = fold(...started(), authorised('call_1', { reservedCostUsd: 0.5 }), succeeded('call_1', { costUsd: 0.2, runtimeMs: 12, artifactBytes: 7 }));
    expect(isLive(state) && state.spent).toEqual({ toolCalls: 1, costUsd: 0.2, runtimeMs: 12, artifactBytes: 7 });
  });

  it('goes back to waiting when the approved call itself failed', () => {
    const state = fold(...started(), ...parked('call_1', 'appr_1'), authorised('call_1', { approvalId: 'appr_1' }), {
      type: 'ToolCallFailed', data: { callId: 'call_1', reason: 'handler_failed', error: 'No route', runtimeMs: 1, costUsd: 0, approvalId: 'appr_1' },
    });
    expect(isLive(state) && callIn(state.calls, 'call_1')).toMatchObject({ status: 'parked', lastError: 'No route', asked: { approvalId: 'appr_1' } });
  });

  it('stays ended whatever arrives later, but still learns the outcome of a call that was running', () => {
    const state = fold(...started(), authorised('call_1'), { type: 'RunFailed', data: { stopReason: 'budget_cost' } }, { type: 'RunSucceeded', data: { stopReason: 'completed' } }, succeeded('call_1'));
    expect(isFinished(state) && [state.status, state.stopReason, callIn(state.calls, 'call_1')?.status]).toEqual(['failed', 'budget_cost', 'executed']);
  });
});
