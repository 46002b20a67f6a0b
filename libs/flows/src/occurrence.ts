import { idFor } from '@app/event-store';

/** The command that opens an occurrence's goal: the same whoever sends it and however often, so the goal and its run are made once. */
export const openingCommand = (occurrenceId: string) => ({ commandId: `${occurrenceId}:open`, repeatable: true }) as const;

/** The ids that the goal and the run of an occurrence will have. */
export const occurrenceIds = (occurrenceId: string) => {
  const command = openingCommand(occurrenceId);
  return { occurrenceId, goalId: idFor('goal', command), runId: idFor('run', command) };
};
