import { idFor, newEventId } from '@app/event-store';
import type { Step } from './step.schema';
import type { Undertaking } from './undertaking.policy';

/** The command that opens the goal: the same whoever sends it and however often, so the goal and its run are made once. */
export const openingCommand = (workId: string) => ({ commandId: `${workId}:open`, repeatable: true }) as const;

export const undertake = (steps: readonly Step[], principalId: string): Undertaking => {
  const workId = newEventId();
  const command = openingCommand(workId);
  return { workId, goalId: idFor('goal', command), runId: idFor('run', command), principalId, steps };
};
