import type { ApprovalEvent } from '@app/approvals/contract';
import type { GoalEvent } from '@app/goals/contract';
import type { StopReason } from './budget.schema';
import type { RunEvent } from './run.events';

export type Ending =
  | { readonly status: 'succeeded'; readonly result?: unknown }
  | { readonly status: 'failed'; readonly stopReason?: StopReason; readonly reason?: string }
  | { readonly status: 'cancelled'; readonly stopReason: StopReason; readonly reason?: string };

/** The end of a run and the end of its goal are one fact for the outside, so they are written together. */
export const endingEvents = (ending: Ending): { readonly run: readonly RunEvent[]; readonly goal: readonly GoalEvent[] } => {
  const reason = ending.status !== 'succeeded' && ending.reason !== undefined ? { reason: ending.reason } : {};
  switch (ending.status) {
    case 'succeeded':
      return {
        run: [{ type: 'RunSucceeded', data: { stopReason: 'completed', ...(ending.result !== undefined && { result: ending.result as never }) } }],
        goal: [{ type: 'GoalSettled', data: { status: 'completed' } }],
      };
    case 'failed': {
      const { stopReason } = ending;
      return {
        run: [{ type: 'RunFailed', data: { ...(stopReason !== undefined && { stopReason }), ...reason } }],
        goal: [{ type: 'GoalSettled', data: { status: 'failed', reason: ending.reason ?? stopReason ?? 'failed' } }],
      };
    }
    case 'cancelled':
      return {
        run: [{ type: 'RunCancelled', data: { stopReason: ending.stopReason, ...reason } }],
        goal: [{ type: 'GoalCancelled', data: reason }],
      };
  }
};

/** A task is one call, so a call that the door denied ends its run. */
export const endOfDeniedTask = (reason = 'no reason'): Ending => ({ status: 'failed', stopReason: 'tool_failed', reason: `The call was denied: ${reason}` });

/** What an approval learns when its run is over before anybody decided. */
export const supersededBy = (status: Ending['status']): ApprovalEvent => ({ type: 'ApprovalSuperseded', data: { reason: `the run has ${status === 'cancelled' ? 'been cancelled' : status}` } });
