/** Something that has to happen at a time, whatever happens to the processes until then. */
export type Deadline = {
  /** Unique under its scheduler's name. */
  readonly key: string;
  readonly siteId: string;
  /** What is due; the scheduler does not look at it. */
  readonly topic: string;
  readonly dueAt: Date;
  /** The event that set or moved it last; null when an older version did. */
  readonly eventId: string | null;
};

/**
 * The id of what a process commands when a deadline has come due: the event that set it, the key that tells apart what one event sets, and the
 * time. The same however often it fires. A row of an older version keeps `before`, the id that it has always had, so that an upgrade does nothing twice.
 */
export const deadlineCommand = (step: string, { eventId, key, dueAt }: Deadline, before: string): string =>
  eventId === null ? before : `${step}:${eventId}:${key}:${dueAt.getTime()}`;

/** What an event changes: a new deadline, another time for a known one, or none any more. Instants are ISO 8601 in UTC. */
export type DeadlineChange =
  | { readonly set: string; readonly at: string; readonly topic: string }
  | { readonly move: string; readonly at: string }
  | { readonly clear: string }
  /** What kept the overdue ones of a site waiting is gone: ask for all of them again at once. */
  | { readonly wakeSite: string; readonly at: string };

/** `later`: it cannot be said yet; ask again. `again`: done for now, and due once more at that instant, as schedules are. */
export type Fired = 'done' | 'later' | { readonly again: Date };
