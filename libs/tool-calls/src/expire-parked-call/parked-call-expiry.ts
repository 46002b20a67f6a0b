import { approval as approvalAggregate } from '@app/approvals/contract';
import type { Executor } from '@app/event-store';
import type { Context, Rejected } from '@app/kernel';
import { RunDecisions } from '../door/run-decisions';
import { doorStreams } from '../door/run-streams';
import { expireParkedCall } from './expire-parked-call.decide';

/**
 * What a timer calls when an approval of a tool call has come due; needs no handlers and no web server. `later`: the approved call is
 * still running, and if it fails the approval waits again.
 */
export const parkedCallExpiry =
  (executor: Executor, decisions = new RunDecisions(executor)) =>
  async (approvalId: string, context: Context): Promise<'done' | 'later' | Rejected> => {
    const { state } = await executor.current(approvalAggregate, approvalId);
    if (state.status === 'approved') return 'later';
    const { runId, goalId } = state.status === 'pending' ? state.request : { runId: null, goalId: null };
    const run = runId === null ? undefined : await decisions.opened(runId, context.siteId);
    if (runId === null || goalId === null || !run) return 'done';
    const streams = doorStreams({ runId, goalId, siteId: context.siteId, approvalId, principalId: run.envelope.principalId });
    const expired = await decisions.decide(streams, { ...context, runId, goalId }, (current, { approval }) => expireParkedCall(approval, current, context.now));
    return expired.ok ? 'done' : expired;
  };
