import { isOutage, StoreUnavailable } from '@app/event-store';
import { reject } from '@app/kernel';
import { inTime } from './answer-time';
import type { DeadLetter, DeadLetters } from './dead-letter';
import { encodeJob, type JobHandler } from './job';
import type { JobStore } from './job-store';
import { LetterWatch } from './letter-watch';
import { QueueProvider, type Enqueued, type EnqueueOptions, type QueueDepth, type WorkOptions } from './queue-provider';
import { queue as queueOf } from './queues';
import { Schedule } from './schedule';
import { storedLetters } from './stored-letters';
import { Worker } from './worker';

export type StoredQueueOptions = {
  readonly now: () => Date;
  readonly pollMs: number;
  readonly heartbeatMs: number;
  readonly onError: (error: unknown) => void;
};

const STOP_WITHIN_MS = 30_000;

/** What is the same wherever the jobs are kept. */
export abstract class StoredQueue extends QueueProvider {
  private readonly workers = new Map<string, Worker>();
  private readonly schedules: Schedule[] = [];
  private readonly watches: LetterWatch[] = [];
  private stopped: Promise<void> | undefined;

  protected constructor(
    private readonly store: JobStore,
    private readonly options: StoredQueueOptions,
  ) {
    super();
  }

  async enqueue(queue: string, jobId: string, payload: unknown, { notBefore, transaction }: EnqueueOptions = {}): Promise<Enqueued> {
    const encoded = encodeJob(jobId, payload);
    if (!encoded.ok) return encoded;
    const adding = this.store.add({ queue, jobId, text: encoded.text, ...(notBefore ? { notBefore } : {}) }, transaction);
    if (transaction) return { ok: true, added: await adding };
    const added = await inTime(adding).catch((error: unknown) => {
      if (error instanceof StoreUnavailable || isOutage(error)) return undefined;
      throw error;
    });
    if (added === undefined) return reject('unavailable', 'UNAVAILABLE', 'The queue does not answer. Send the same job again: an id makes one job.', { queue, jobId });
    this.workers.get(queue)?.wake();
    return { ok: true, added };
  }

  work<Payload = unknown>(queue: string, handler: JobHandler<Payload>, { concurrency = 1 }: WorkOptions = {}): void {
    if (this.stopped) throw new Error('The queue is stopped.');
    if (this.workers.has(queue)) throw new Error(`This process works on ${queue} already.`);
    const { store, options: { pollMs, heartbeatMs, onError } } = this;
    this.store.expect(queue);
    this.workers.set(queue, new Worker({ store, queue, handler: handler as JobHandler, concurrency, pollMs, heartbeatMs, onError }));
  }

  schedule(name: string, cron: string, timeZone: string, handler: (at: Date, signal: AbortSignal) => Promise<void>): void {
    const queue = `schedule.${name}`;
    const { now, pollMs, onError } = this.options;
    const declared = this.store.declare(queueOf(queue));
    declared.catch(onError);
    const fire = async (at: Date) => {
      const fired = await declared.then(() => this.enqueue(queue, at.toISOString(), at.toISOString())).catch(onError);
      return fired?.ok === true;
    };
    this.schedules.push(new Schedule({ cron, timeZone, now, lookMs: pollMs, fire }));
    this.work<string>(queue, ({ payload, signal }) => handler(new Date(payload), signal));
  }

  deadLetters(): DeadLetters {
    return storedLetters(this.store, () => this.workers.forEach((worker) => worker.wake()));
  }

  onDeadLetter(handler: (letter: DeadLetter) => Promise<void>): void {
    const { pollMs, onError } = this.options;
    this.watches.push(new LetterWatch({ store: this.store, handler, pollMs: pollMs * 4, onError }));
  }

  depths(): Promise<readonly QueueDepth[]> {
    return this.store.depths();
  }

  stop(deadlineMs = STOP_WITHIN_MS): Promise<void> {
    return (this.stopped ??= this.end(deadlineMs));
  }

  protected get busy(): boolean {
    return [...this.workers.values()].some(({ busy }) => busy);
  }

  private async end(deadlineMs: number): Promise<void> {
    this.store.abandonStart();
    const others = [...this.schedules, ...this.watches].map((each) => each.stop());
    await Promise.all([...[...this.workers.values()].map((worker) => worker.stop(deadlineMs)), ...others]);
    await this.store.close();
  }
}
