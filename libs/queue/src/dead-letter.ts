import type { Rejected } from '@app/kernel';

/** A job whose last attempt failed. It stays until somebody requeues or discards it. */
export type DeadLetter = {
  /** Of the letter, not of the job. */
  readonly id: string;
  /** The queue it failed in. */
  readonly queue: string;
  readonly jobId: string;
  readonly payload: unknown;
  readonly attempts: number;
  /** What the last attempt failed with. */
  readonly error: string;
  readonly enqueuedAt: Date;
  readonly failedAt: Date;
};

export type LetterDone = { readonly ok: true } | Rejected;

export interface DeadLetters {
  /** Oldest first; 100 unless told, at most 1 000. */
  list(page?: { readonly limit?: number; readonly skip?: number }): Promise<readonly DeadLetter[]>;
  find(id: string): Promise<DeadLetter | null>;
  /** Puts the job back into its queue, under its id and with all its attempts. A second call finds no letter. */
  requeue(id: string): Promise<LetterDone>;
  discard(id: string): Promise<LetterDone>;
}
