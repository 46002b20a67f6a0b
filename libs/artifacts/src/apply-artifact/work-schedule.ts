import type { Bus } from '@app/cqrs';
import type { Consumers, Database, EventStore, Executor } from '@app/event-store';
import type { Recorded } from '@app/kernel';
import { Deadlines } from '@app/scheduler';
import type { ArtifactEvent } from '../artifact.events';
import { ArtifactWorker } from './artifact-worker';
import { SiteContent } from './site-content';
import { workDeadlines } from './work-deadlines.process';

export type ArtifactScheduleOptions = {
  readonly db: Database;
  readonly consumers: Consumers;
  readonly store: EventStore;
  readonly executor: Executor;
  readonly bus: Bus;
  readonly onError: (error: unknown) => void;
  readonly now?: () => Date;
};

const NAME = 'artifact-work';
/** A deadline holds its row for half a minute at most. */
const WITHIN_MS = 10_000;

/** Goes on with publications and rollbacks whose request is over: its process ended, it took too long, or a person had to decide first. Any number of processes may run it. */
export class ArtifactSchedule {
  private readonly deadlines: Deadlines;

  constructor({ db, consumers, store, executor, bus, onError, now }: ArtifactScheduleOptions) {
    const worker = new ArtifactWorker(executor, bus, new SiteContent(executor, store, bus));
    this.deadlines = new Deadlines({
      name: NAME, db, consumers, onError, ...(now && { now }),
      filter: { categories: ['artifact'] },
      changes: (event: Recorded) => workDeadlines(event as unknown as Recorded<ArtifactEvent>),
      fire: ({ key }, at) => worker.drive(key, at, WITHIN_MS),
    });
  }

  start(): void {
    this.deadlines.start();
  }

  stop(): Promise<void> {
    return this.deadlines.stop();
  }
}
