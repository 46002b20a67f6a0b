import type { Transaction } from '@app/event-store';
import type { Rejected } from '@app/kernel';
import type { DeadLetter, DeadLetters } from './dead-letter';
import type { JobHandler } from './job';

/** `added` is false when a job of that id was there already, whatever has become of it since. */
export type Enqueued = { readonly ok: true; readonly added: boolean } | Rejected;

export type EnqueueOptions = {
  /** Not to be started earlier. */
  readonly notBefore?: Date;
  /** The job is there if this transaction commits, and was never there if it does not. A failure of the database is thrown then. */
  readonly transaction?: Transaction;
};

/** The jobs of one queue at one moment. */
export type QueueDepth = {
  readonly queue: string;
  /** Could start now. */
  readonly waiting: number;
  readonly active: number;
  /** Wait for their time: the pause after a failed attempt, or `notBefore`. */
  readonly delayed: number;
  /** Dead letters of this queue that nobody requeued or discarded yet. */
  readonly failed: number;
};

export type WorkOptions = {
  /** Jobs that this process runs at the same time; 1 unless told. */
  readonly concurrency?: number;
};

/**
 * Durable jobs over many processes. A job is delivered at least once, in no certain order, to one process at a time. One whose process dies
 * comes back when its heartbeat is missed; that counts as a failed attempt, so that a job which kills its process ends as a dead letter.
 */
export abstract class QueueProvider {
  /**
   * Adds a job unless one of this id is known; an id is remembered while the job exists and for 7 days after its end.
   * Rejects with PAYLOAD_TOO_LARGE, VALIDATION_FAILED, or UNAVAILABLE when the database does not take it within 5 s (it may have all the same).
   */
  abstract enqueue(queue: string, jobId: string, payload: unknown, options?: EnqueueOptions): Promise<Enqueued>;

  /** Starts to work on a declared queue. Once per queue and process. */
  abstract work<Payload = unknown>(queue: string, handler: JobHandler<Payload>, options?: WorkOptions): void;

  /**
   * Calls `handler` at the times of a cron expression (five fields, or six with seconds) in an IANA time zone: one job per time, however many
   * processes say so, tried again like any other job. Times that pass while no process runs are not made up for. Throws on a bad expression.
   */
  abstract schedule(name: string, cron: string, timeZone: string, handler: (at: Date, signal: AbortSignal) => Promise<void>): void;

  abstract deadLetters(): DeadLetters;

  /** Tells of each dead letter: at least once, perhaps by two processes, again after a failure. The letter stays where it is. */
  abstract onDeadLetter(handler: (letter: DeadLetter) => Promise<void>): void;

  /** Every declared queue, by name. */
  abstract depths(): Promise<readonly QueueDepth[]>;

  /** Takes no more jobs, waits for running handlers, aborts those that are not done at the deadline and gives their jobs back as if never taken. */
  abstract stop(deadlineMs?: number): Promise<void>;
}
