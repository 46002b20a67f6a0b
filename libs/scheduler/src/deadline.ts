/** Something that has to happen at a time, whatever happens to the processes until then. */
export type Deadline = {
  /** Unique under its scheduler's name. */
  readonly key: string;
  readonly siteId: string;
  /** What is due; the scheduler does not look at it. */
  readonly topic: string;
  readonly dueAt: Date;
};

/** What an event changes: a new deadline, another time for a known one, or none any more. Instants are ISO 8601 in UTC. */
export type DeadlineChange =
  | { readonly set: string; readonly at: string; readonly topic: string }
  | { readonly move: string; readonly at: string }
  | { readonly clear: string }
  /** What kept the overdue ones of a site waiting is gone: ask for all of them again at once. */
  | { readonly wakeSite: string; readonly at: string };

/** `later`: it cannot be said yet; ask again. `again`: done for now, and due once more at that instant, as schedules are. */
export type Fired = 'done' | 'later' | { readonly again: Date };
