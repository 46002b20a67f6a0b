import type { Consumers, Database, EventStore, Executor, Failure, Subscription } from '@app/event-store';
import type { Recorded } from '@app/kernel';
import { deadlineCommand, Deadlines, type Deadline, type DeadlineChange, type Fired } from '@app/scheduler';
import { IntentCycle } from './cycle/intent-cycle';
import type { ItemPages } from './cycle/item-pages';
import type { LinkChecker } from './cycle/link-checker';
import type { IntentEvent } from './intent.events';
import { intent } from './intent.state';
import { nextRun } from './schedule/schedule';
import { DriftSettler } from './settle-drift/drift-settler';

export type ReconcilerOptions = {
  readonly db: Database;
  readonly consumers: Consumers;
  readonly store: EventStore;
  readonly executor: Executor;
  readonly pages: ItemPages;
  readonly links: LinkChecker;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
  readonly pollMs?: number;
  readonly scanMs?: number;
};

/** An end that could not be told for ten minutes is passed over: the next cycle of the intent finds its goal ended. */
const UNTIL_THE_NEXT_CYCLE: Failure = { attempts: 25, delayMs: (attempt) => Math.min(30_000, 100 * 2 ** (attempt - 1)), then: 'skip' };

/** The cycles of all intents at their times, and the ends of their goals. Several processes may run it: rows and leases decide who does what. */
export class Reconciler {
  readonly deadlines: Deadlines;
  private readonly cycle: IntentCycle;
  private readonly settler: DriftSettler;
  private ends: Subscription | undefined;

  constructor(private readonly options: ReconcilerOptions) {
    const { db, consumers, store, executor, pages, links, onError, now, pollMs, scanMs } = options;
    const clock = now === undefined ? {} : { now };
    this.cycle = new IntentCycle({ store, executor, pages, links, ...clock, ...(scanMs !== undefined && { scanMs }) });
    this.settler = new DriftSettler({ store, executor, links, ...clock });
    this.deadlines = new Deadlines({
      name: 'intent-cycles', db, consumers, onError, ...clock, ...(pollMs !== undefined && { pollMs }),
      filter: { types: ['IntentDeclared', 'IntentChanged', 'IntentDeleted'] },
      changes: (event) => cycleDeadlines(event as unknown as Recorded<IntentEvent>),
      fire: (deadline, at) => this.fire(deadline, at),
    });
  }

  start(): void {
    this.deadlines.start();
    this.ends = this.options.consumers.subscribe({
      name: 'intent-goals',
      filter: { types: [...DriftSettler.HEARS] },
      // Looking at the links of an item may take 5 s, and a batch is repeated as a whole.
      batchSize: 20,
      failure: UNTIL_THE_NEXT_CYCLE,
      handler: async (events) => {
        for (const event of events) await this.settler.heard(event);
      },
    });
  }

  async stop(): Promise<void> {
    await this.deadlines.stop();
    await this.ends?.stop();
  }

  /** A cycle that has to be skipped comes at the next time of the schedule, or when a window opens; one that waits for another comes later. */
  private async fire(deadline: Deadline, now: Date): Promise<Fired> {
    const { key: intentId, siteId, dueAt } = deadline;
    const commandId = deadlineCommand('cycle', deadline, `cycle:${intentId}:${dueAt.getTime()}`);
    const ran = await this.cycle.run(intentId, siteId, { trigger: 'schedule', dueAt }, { commandId });
    if (!ran.ok && ran.rejection.kind !== 'gone' && ran.rejection.kind !== 'missing') throw new Error(`The cycle of ${intentId} was refused: ${ran.rejection.detail}`);
    if (!ran.ok) return 'done';
    if (ran.data.status === 'skipped' && ran.data.reason === 'running') return 'later';
    const { state } = await this.options.executor.current(intent, intentId);
    const next = state.status === 'live' ? nextRun(state.definition, now) : null;
    return next ? { again: next } : 'done';
  }
}

/** The row of an intent follows its definition; where it goes on after a cycle is up to the cycle. */
export const cycleDeadlines = (event: Recorded<IntentEvent>): readonly DeadlineChange[] => {
  const key = event.streamId.slice('intent-'.length);
  switch (event.type) {
    case 'IntentDeclared':
    case 'IntentChanged': {
      const next = nextRun(event.data.definition, new Date(event.occurredAt));
      return next ? [{ set: key, topic: 'cycle', at: next.toISOString() }] : [{ clear: key }];
    }
    case 'IntentDeleted':
      return [{ clear: key }];
    default:
      return [];
  }
};
