import { sentenceOf, type JobHandler } from './job';
import type { Claim, JobStore } from './job-store';
import { Pause } from './pause';

export type WorkerOptions = {
  readonly store: JobStore;
  readonly queue: string;
  readonly handler: JobHandler;
  readonly concurrency: number;
  readonly pollMs: number;
  readonly heartbeatMs: number;
  readonly onError: (error: unknown) => void;
};

type Running = { readonly claim: Claim; readonly abort: AbortController; isSettled: boolean; done: Promise<void> };

const AFTER_FAILURE_MS = 500;
/** How long a handler has to react to its signal before its job is given back. */
const LAST_WORDS_MS = 200;

/** Works on one queue: takes as many jobs as it may run, keeps them alive by heartbeats and settles them. */
export class Worker {
  /** Not by id: a job whose claim was lost may come back while its first handler still ends. */
  private readonly running = new Set<Running>();
  private readonly pause = new Pause();
  private readonly beats = new Pause();
  private stopping = false;
  private abandoned = false;
  private readonly taking: Promise<void>;
  private readonly beating: Promise<void>;

  constructor(private readonly options: WorkerOptions) {
    this.taking = this.take();
    this.beating = this.beat();
  }

  get busy(): boolean {
    return this.running.size > 0;
  }

  wake = (): void => this.pause.wake();

  async stop(deadlineMs: number): Promise<void> {
    this.stopping = true;
    this.wake();
    await this.within(deadlineMs, [this.taking.then(() => this.ends())]);
    const late = [...this.running];
    for (const { abort } of late) abort.abort(new Error('The process stops'));
    if (late.length > 0) await this.within(LAST_WORDS_MS, [this.ends()]);
    this.abandoned = true;
    this.beats.wake();
    const left = late.filter(({ isSettled }) => !isSettled).map(({ claim }) => claim);
    if (left.length > 0) await this.within(LAST_WORDS_MS * 10, [this.options.store.giveBack(this.options.queue, left).catch(this.options.onError)]);
    await this.within(LAST_WORDS_MS, [this.beating]);
  }

  private ends = () => Promise.all([...this.running].map(({ done }) => done));

  private async within(ms: number, all: Promise<unknown>[]): Promise<void> {
    const limit = new Pause();
    void Promise.all(all).then(limit.wake);
    await limit.atMost(ms);
  }

  private async take(): Promise<void> {
    const { store, queue, concurrency, pollMs, onError } = this.options;
    while (!this.stopping) {
      const free = concurrency - this.running.size;
      try {
        const claims = free > 0 ? await store.claim(queue, free) : [];
        if (this.stopping && claims.length > 0) return await store.giveBack(queue, claims).catch(onError);
        for (const claim of claims) this.start(claim);
        if (free === 0 || claims.length < free) await this.pause.atMost(pollMs);
      } catch (error) {
        if (this.stopping) return;
        onError(error);
        await this.pause.atMost(Math.max(pollMs, AFTER_FAILURE_MS));
      }
    }
  }

  private start(claim: Claim): void {
    const running: Running = { claim, abort: new AbortController(), isSettled: false, done: Promise.resolve() };
    this.running.add(running);
    running.done = this.handle(running).finally(() => {
      this.running.delete(running);
      this.wake();
    });
  }

  private async handle(running: Running): Promise<void> {
    const { store, queue, handler } = this.options;
    const { claim, abort: { signal } } = running;
    const { jobId, text, attempt, last } = claim;
    const failure = await Promise.resolve()
      .then(() => handler({ id: jobId, queue, payload: JSON.parse(text) as unknown, attempt, last, signal }))
      .then(() => undefined, (error: unknown) => ({ sentence: sentenceOf(error) }));
    // A failure after the signal says only that the handler heard it: the job is another's by now, or will be given back.
    if (failure && signal.aborted) return;
    await this.settle(() => (failure ? store.fail(queue, claim, failure.sentence) : store.complete(queue, claim)));
    running.isSettled = !this.abandoned;
  }

  /** Until the database has heard it: a result that is lost costs a second run of the job. */
  private async settle(say: () => Promise<void>): Promise<void> {
    const pause = new Pause();
    while (!this.abandoned) {
      try {
        return await say();
      } catch (error) {
        this.options.onError(error);
        await pause.atMost(AFTER_FAILURE_MS);
      }
    }
  }

  private async beat(): Promise<void> {
    const { store, queue, heartbeatMs, onError } = this.options;
    for (;;) {
      await this.beats.atMost(heartbeatMs);
      if (this.abandoned) return;
      const held = [...this.running].filter(({ abort }) => !abort.signal.aborted);
      if (held.length === 0) continue;
      // A heartbeat that cannot be sent says nothing about the claims; only an answer does.
      const still = await store.hold(queue, held.map(({ claim }) => claim)).catch(onError);
      if (still) for (const { claim, abort, isSettled } of held) if (!isSettled && !still.has(claim.id)) abort.abort(new Error('The job is no longer held by this process'));
    }
  }
}
