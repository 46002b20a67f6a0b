import type { EventStore } from '@app/event-store';

/** The state of a goal does not hold its site; its first event does. */
export const isGoalOfSite = async (store: Pick<EventStore, 'read'>, goalId: string, siteId: string): Promise<boolean> => {
  for await (const event of store.read(`goal-${goalId}`)) return event.siteId === siteId;
  return false;
};
