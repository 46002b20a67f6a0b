import type { Database } from '@app/event-store';
import { QUEUES, type QueueDefinition } from '../queues';
import { StoredQueue } from '../stored-queue';
import { HEARTBEAT_SECONDS } from './boss';
import { PgBossJobStore } from './pg-boss-job-store';

export type PgBossQueueOptions = {
  /** Every statement goes through this pool; the queue opens no connection of its own and keeps none. */
  readonly db: Database;
  readonly queues?: readonly QueueDefinition[];
  readonly onError?: (error: unknown) => void;
  readonly now?: () => Date;
};

/**
 * How long a job may wait that another process enqueued, or whose pause is over; what this process enqueues is taken at once. An empty look
 * takes the database 0.1 ms.
 */
const POLL_MS = 250;
const HEARTBEATS_PER_LEASE = 3;

/**
 * The queue in PostgreSQL (schema `pgboss`). It starts beside whatever else starts, and again until the database is there; calls wait for it.
 * Due times and lost claims go by the database's clock; only schedules read this process's.
 */
export class PgBossQueue extends StoredQueue {
  private readonly jobs: PgBossJobStore;

  constructor({ db, queues = QUEUES, onError = () => undefined, now = () => new Date() }: PgBossQueueOptions) {
    const jobs = new PgBossJobStore(db, queues, onError);
    super(jobs, { now, onError, pollMs: POLL_MS, heartbeatMs: (HEARTBEAT_SECONDS * 1_000) / HEARTBEATS_PER_LEASE });
    this.jobs = jobs;
  }

  /** Resolves when the schema is there and every queue is declared. */
  ready(): Promise<void> {
    return this.jobs.ready();
  }
}
