import type { GoalEvent } from '@app/goals/contract';
import { idOf, type Recorded } from '@app/kernel';
import type { RunEvent } from '../run.events';

/** How long a run may wait for a worker. */
export const QUEUE_TIMEOUT_MS = 15 * 60_000;

/** Which deadlines an event sets or clears: of a run that waits for a worker, or of a goal. */
type Change = { readonly set: string; readonly at: string; readonly topic: 'queue' | 'goal' } | { readonly clear: string };

/** A run waits for a worker for a quarter of an hour. A goal with a deadline ends its run then, whatever it waits for. */
export const runDeadlines = (event: Recorded<RunEvent> | Recorded<GoalEvent>): readonly Change[] => {
  switch (event.type) {
    case 'RunQueued':
      return [{ set: event.data.runId, at: new Date(Date.parse(event.occurredAt) + QUEUE_TIMEOUT_MS).toISOString(), topic: 'queue' }];
    case 'RunStarted':
    case 'RunSucceeded':
    case 'RunFailed':
    case 'RunCancelled':
      return [{ clear: idOf(event.streamId) }];
    case 'GoalCreated':
      return event.data.deadline === null ? [] : [{ set: event.data.goalId, at: event.data.deadline, topic: 'goal' }];
    case 'GoalSettled':
    case 'GoalCancelled':
      return [{ clear: idOf(event.streamId) }];
    default:
      return [];
  }
};
