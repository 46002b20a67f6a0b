import { begin, PARK_AFTER_FIVE, UNCONCERNED, type Consumers, type Database, type Subscription, type SubscribeOptions } from '@app/event-store';
import type { Recorded } from '@app/kernel';
import type { Deadline, DeadlineChange, Fired } from './deadline';
import { DeadlineTable, type SiteChange } from './deadline-table';
import { DueTimes } from './due-times';

export type DeadlinesOptions = {
  /** Names the checkpoint and the rows; the same in every process. */
  readonly name: string;
  readonly db: Database;
  readonly consumers: Consumers;
  readonly filter: NonNullable<SubscribeOptions['filter']>;
  /** Which deadlines an event sets, moves or clears. Pure, so the rows follow from the log. */
  readonly changes: (event: Recorded) => readonly DeadlineChange[];
  /**
   * Called when a deadline has come due: never early, perhaps late, perhaps twice. What it commands has the last word and the id of
   * `deadlineCommand`, so that the effect happens once.
   */
  readonly fire: (deadline: Deadline, now: Date) => Promise<Fired>;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
  /** Longest pause between two looks; default 500. */
  readonly pollMs?: number;
};

/** A deadline is set or cleared this much later, with all that was meanwhile: one that is set and cleared within it costs a single statement. */
const GATHER_MS = 200;

/** How long one `fire` may take before the database gives its row to another process. */
const FIRE_WITHIN_MS = 30_000;
const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

/**
 * Durable deadlines: rows that follow the log exactly once, and a look every half second at when the next one is due. What came due while no
 * process ran fires with the next start. Several processes may run it: a row is locked by the one that fires it.
 */
export class Deadlines {
  private readonly table: DeadlineTable;
  private readonly stopping = new AbortController();
  private subscription: Subscription | undefined;
  private looking: Promise<void> = Promise.resolve();

  constructor(private readonly options: DeadlinesOptions) {
    this.table = new DeadlineTable(options.name);
  }

  start(): void {
    const { consumers, name, filter, changes } = this.options;
    this.subscription = consumers.subscribe({
      name, filter, gatherMs: GATHER_MS, failure: PARK_AFTER_FIVE,
      handler: async (events, tx) => {
        const all = events.flatMap((event) => changes(event).map((change): SiteChange => ({ siteId: event.siteId, eventId: event.eventId, change })));
        if (all.length === 0) return UNCONCERNED;
        return this.table.applyAll(tx, all);
      },
    });
    this.looking = this.look();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.subscription?.stop();
    await this.looking;
  }

  /** Fires everything that is due and was recorded; tells how many it fired. */
  async fireDue(): Promise<number> {
    for (let fired = 0; ; fired++) if (this.stopping.signal.aborted || !(await this.fireNext())) return fired;
  }

  private async look(): Promise<void> {
    const { db, name, pollMs = 500, onError, now = () => new Date() } = this.options;
    const times = DueTimes.of(db);
    while (!this.stopping.signal.aborted) {
      // All schedulers of the process look at the same beat.
      let pauseMs = pollMs - (performance.now() % pollMs);
      try {
        const next = await times.next(name);
        if (next && next <= now()) await this.fireDue();
        else if (next) pauseMs = Math.min(pauseMs, next.getTime() - now().getTime());
      } catch (error) {
        onError(error);
      }
      await this.pause(Math.max(1, pauseMs));
    }
  }

  private async fireNext(): Promise<boolean> {
    const { db, fire, onError, now = () => new Date() } = this.options;
    const connection = await db.connect();
    const lost = (error: Error) => onError(error);
    connection.on('error', lost);
    let broken = true;
    try {
      await begin(connection, FIRE_WITHIN_MS);
      const at = now();
      const due = await this.table.claim(connection, at);
      if (due) {
        const fired = await fire(due, at).catch((error: unknown) => {
          onError(error);
          return 'later' as const;
        });
        const pauseMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(due.attempts, 10));
        if (fired === 'done') await this.table.done(connection, due.key);
        else if (fired === 'later') await this.table.again(connection, due.key, new Date(at.getTime() + pauseMs));
        else await this.table.dueAgain(connection, due.key, fired.again);
      }
      await connection.query('COMMIT');
      broken = false;
      return due !== null;
    } finally {
      connection.removeListener('error', lost);
      connection.release(broken);
    }
  }

  private pause(ms: number): Promise<void> {
    const { signal } = this.stopping;
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(), ms);
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      if (signal.aborted) end();
      else signal.addEventListener('abort', end);
    });
  }
}
