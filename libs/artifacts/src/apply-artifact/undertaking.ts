import { idFor, newEventId } from '@app/event-store';
import type { Step } from './step.schema';
import type { Undertaking } from './undertaking.policy';

/** The command that opens the goal: the same whoever sends it and however often, so the goal and its run are made once. */
export const openingCommand = (workId: string) => ({ commandId: `${workId}:open`, repeatable: true }) as const;

const BEGIN: ReadonlySet<string> = new Set(['ArtifactApplying', 'ArtifactUndoing']);

/**
 * The event that begins work has the work's id: what drives it makes its command ids of that event and the step. Work that an older version began has
 * an id of its own, which its event tells.
 */
export const begunBy = <E extends { readonly type: string }>(events: readonly E[], undertaking: Pick<Undertaking, 'workId'> | null) =>
  events.map((event) => (undertaking && BEGIN.has(event.type) ? { ...event, eventId: undertaking.workId } : event));

export const undertake = (steps: readonly Step[], principalId: string): Undertaking => {
  const workId = newEventId();
  const command = openingCommand(workId);
  return { workId, goalId: idFor('goal', command), runId: idFor('run', command), principalId, steps };
};
