import { QUEUES, type QueueDefinition } from '../queues';
import { StoredQueue } from '../stored-queue';
import { InMemoryJobStore } from './in-memory-job-store';

export type InMemoryQueueOptions = {
  readonly queues?: readonly QueueDefinition[];
  readonly now?: () => Date;
  readonly onError?: (error: unknown) => void;
};

/** Often enough that a spec does not wait, after it moved its clock. */
const POLL_MS = 5;

/** The queue of one process without a database. Pauses, times and lost claims follow the injected clock. */
export class InMemoryQueue extends StoredQueue {
  private readonly jobs: InMemoryJobStore;

  constructor({ queues = QUEUES, now = () => new Date(), onError = () => undefined }: InMemoryQueueOptions = {}) {
    const jobs = new InMemoryJobStore(now, queues);
    super(jobs, { now, onError, pollMs: POLL_MS, heartbeatMs: POLL_MS });
    this.jobs = jobs;
  }

  /** Every job that runs now is taken for one of a dead process: its attempt has failed, and its handler's signal tells so. */
  loseHeld(): void {
    this.jobs.loseHeld();
  }

  /** Resolves when no job is running and none that a worker could take is due. */
  async idle(): Promise<void> {
    while (this.busy || this.jobs.isDue()) await new Promise((turn) => setTimeout(turn, 1));
  }
}
