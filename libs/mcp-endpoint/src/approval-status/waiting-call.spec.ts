import { describe, expect, it } from '@jest/globals';
import type { Recorded } from '@app/kernel';
import { concerns, isWaiting, newsIn, outlived } from './waiting-call.policy';

const call = { approvalId: 'appr_1', runId: 'run_1', callId: 'call_1' };
const event = (streamId: string, type: string, data: object = {}) => ({ streamId, type, data }) as Recorded;
const answer = { callId: 'call_1', governanceVersion: 1 };

describe('A call that waits for a person', () => {
  it('waits while nobody decided, and while what was approved runs', () => {
    expect([isWaiting({ ...answer, status: 'pending_approval' }), isWaiting({ ...answer, status: 'indeterminate', rule: 'no_outcome' })]).toEqual([true, true]);
    for (const status of ['executed', 'denied', 'failed', 'staged', 'deferred'] as const) expect(isWaiting({ ...answer, status })).toBe(false);
    expect(isWaiting({ ...answer, status: 'indeterminate', rule: 'worker_lost' })).toBe(false);
  });

  it('is over when its run took the question with it', () => {
    const pending = { ...answer, status: 'pending_approval' as const };
    expect(outlived(pending, { status: 'superseded', reason: 'the run has failed' } as never)).toEqual({ ...answer, status: 'denied', reason: 'the run has failed', rule: 'superseded' });
    expect(outlived(pending, { status: 'pending' } as never)).toBe(pending);
  });

  it('is concerned by its approval, by what its run records of it, and by the end of the run', () => {
    expect([
      event('approval-appr_1', 'ApprovalVoteCast'), event('run-run_1', 'ToolCallSucceeded', { callId: 'call_1' }), event('run-run_1', 'RunCancelled'), event('run-run_1', 'ToolCallSucceeded', { callId: 'call_2' }),
      event('run-run_2', 'RunCancelled'), event('approval-appr_2', 'ApprovalApproved'),
    ].map((one) => concerns(call, one))).toEqual([true, true, true, false, false, false]);
  });

  it('tells each thing once, and of most events nothing', () => {
    expect(newsIn([{ type: 'ApprovalAnswered' }, { type: 'ToolCallAnswered' }, { type: 'ApprovalApproved' }, { type: 'ToolCallAuthorised' }, { type: 'ToolCallSucceeded' }])).toEqual(['A reviewer answered', 'Approved; the call runs']);
  });
});
