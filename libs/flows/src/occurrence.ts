import { idFor } from '@app/event-store';

/** The command that opens an occurrence's goal: the same whoever sends it and however often, so the goal and its run are made once. */
export const openingCommand = (occurrenceId: string) => ({ commandId: `${occurrenceId}:open`, repeatable: true }) as const;

/**
 * The event that begins an occurrence has the occurrence's id: what drives it makes its command ids of that event and the step. One that an older
 * version began has an id of its own, which is as good: its event tells it.
 */
export const begunBy = <E extends object>(events: readonly E[], occurrenceId: string) => events.map((event) => ({ ...event, eventId: occurrenceId }));

/** The ids that the goal and the run of an occurrence will have. */
export const occurrenceIds = (occurrenceId: string) => {
  const command = openingCommand(occurrenceId);
  return { occurrenceId, goalId: idFor('goal', command), runId: idFor('run', command) };
};
