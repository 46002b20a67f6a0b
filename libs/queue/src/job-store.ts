import type { Transaction } from '@app/event-store';
import type { DeadLetter } from './dead-letter';
import type { QueueDepth } from './queue-provider';
import type { QueueDefinition } from './queues';

/** One attempt at one job, as this process holds it. `attempt` fences: what is said about an earlier attempt changes nothing. */
export type Claim = { readonly id: string; readonly jobId: string; readonly text: string; readonly attempt: number; readonly last: boolean };

export type NewJob = { readonly queue: string; readonly jobId: string; readonly text: string; readonly notBefore?: Date };

/** Where jobs are kept. What all queues have in common (working, schedules, stopping) stands above it and exists once. */
export interface JobStore {
  declare(queue: QueueDefinition): Promise<void>;
  /** Throws when the queue is not declared. */
  expect(queue: string): void;
  /** False when the id is known. */
  add(job: NewJob, transaction?: Transaction): Promise<boolean>;
  claim(queue: string, most: number): Promise<readonly Claim[]>;
  /** Heartbeat; answers the ids that are still held. */
  hold(queue: string, claims: readonly Claim[]): Promise<ReadonlySet<string>>;
  complete(queue: string, claim: Claim): Promise<void>;
  fail(queue: string, claim: Claim, error: string): Promise<void>;
  /** As if the attempt had never begun. */
  giveBack(queue: string, claims: readonly Claim[]): Promise<void>;
  depths(): Promise<readonly QueueDepth[]>;
  letters(limit: number, skip: number): Promise<readonly DeadLetter[]>;
  letter(id: string): Promise<DeadLetter | null>;
  /** Letters that `noticed` was not called for. */
  unnoticed(limit: number, skip: number): Promise<readonly DeadLetter[]>;
  noticed(id: string): Promise<void>;
  requeue(letter: DeadLetter): Promise<boolean>;
  discard(id: string): Promise<boolean>;
  /** Waits no longer for a database that is not there yet. */
  abandonStart(): void;
  close(): Promise<void>;
}
