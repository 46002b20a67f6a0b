import { randomUUID } from 'node:crypto';
import type { DeadLetter } from '../dead-letter';
import type { Claim, JobStore, NewJob } from '../job-store';
import type { QueueDepth } from '../queue-provider';
import type { QueueDefinition } from '../queues';

type State = 'waiting' | 'active' | 'ended';
type Stored = { readonly jobId: string; readonly queue: string; readonly text: string; readonly enqueuedAt: Date; state: State; attempts: number; dueAt: number; startedAt: number };
type Letter = DeadLetter & { noticed: boolean };

const LEAST_PAUSE_S = 1;

export class InMemoryJobStore implements JobStore {
  private readonly queues = new Map<string, QueueDefinition>();
  private readonly stored = new Map<string, Stored>();
  private readonly dead = new Map<string, Letter>();
  private readonly worked = new Set<string>();

  constructor(
    private readonly now: () => Date,
    queues: readonly QueueDefinition[],
  ) {
    for (const queue of queues) this.queues.set(queue.name, queue);
  }

  isDue = () => [...this.stored.values()].some((job) => this.worked.has(job.queue) && this.isReady(job));

  /** What the database finds after a process died: held jobs whose heartbeat is missed. */
  loseHeld(): void {
    for (const job of this.stored.values()) if (job.state === 'active') this.failed(job, 'job heartbeat timeout');
  }

  async declare(queue: QueueDefinition) {
    this.queues.set(queue.name, queue);
  }

  expect(queue: string): void {
    this.definition(queue);
  }

  async add({ queue, jobId, text, notBefore }: NewJob) {
    const now = this.now();
    this.definition(queue);
    if (this.stored.has(keyOf(queue, jobId))) return false;
    this.stored.set(keyOf(queue, jobId), { jobId, queue, text, enqueuedAt: now, state: 'waiting', attempts: 0, dueAt: notBefore?.getTime() ?? now.getTime(), startedAt: 0 });
    return true;
  }

  async claim(queue: string, most: number) {
    const { attempts } = this.definition(queue);
    this.worked.add(queue);
    this.failTheLate();
    const now = this.now().getTime();
    const due = [...this.stored.values()].filter((job) => job.queue === queue && this.isReady(job)).slice(0, most);
    for (const job of due) Object.assign(job, { state: 'active', attempts: job.attempts + 1, startedAt: now });
    return due.map((job): Claim => ({ id: keyOf(queue, job.jobId), jobId: job.jobId, text: job.text, attempt: job.attempts, last: job.attempts >= attempts }));
  }

  async hold(_queue: string, claims: readonly Claim[]) {
    return new Set(claims.filter((claim) => this.heldBy(claim)).map(({ id }) => id));
  }

  async complete(_queue: string, claim: Claim) {
    const job = this.heldBy(claim);
    if (job) job.state = 'ended';
  }

  async fail(_queue: string, claim: Claim, error: string) {
    const job = this.heldBy(claim);
    if (job) this.failed(job, error);
  }

  async giveBack(_queue: string, claims: readonly Claim[]) {
    for (const claim of claims) {
      const job = this.heldBy(claim);
      if (job) Object.assign(job, { state: 'waiting', attempts: job.attempts - 1, dueAt: this.now().getTime() });
    }
  }

  async depths() {
    const jobs = [...this.stored.values()];
    const count = (queue: string, holds: (job: Stored) => boolean) => jobs.filter((job) => job.queue === queue && holds(job)).length;
    return [...this.queues.keys()].sort().map((queue): QueueDepth => ({
      queue,
      waiting: count(queue, (job) => this.isReady(job)),
      active: count(queue, ({ state }) => state === 'active'),
      delayed: count(queue, (job) => job.state === 'waiting' && !this.isReady(job)),
      failed: [...this.dead.values()].filter((letter) => letter.queue === queue).length,
    }));
  }

  letters = async (limit: number, skip: number) => [...this.dead.values()].slice(skip, skip + limit).map(shown);

  async letter(id: string) {
    const letter = this.dead.get(id);
    return letter ? shown(letter) : null;
  }

  unnoticed = async (limit: number, skip: number) => [...this.dead.values()].filter(({ noticed }) => !noticed).slice(skip, skip + limit).map(shown);

  async noticed(id: string) {
    const letter = this.dead.get(id);
    if (letter) letter.noticed = true;
  }

  async requeue({ id, queue, jobId }: DeadLetter) {
    const job = this.stored.get(keyOf(queue, jobId));
    if (!job || !this.dead.delete(id)) return false;
    Object.assign(job, { state: 'waiting', attempts: 0, dueAt: this.now().getTime() });
    return true;
  }

  discard = async (id: string) => this.dead.delete(id);

  abandonStart = () => undefined;

  close = async () => undefined;

  private isReady = ({ state, dueAt }: Stored) => state === 'waiting' && dueAt <= this.now().getTime();

  private heldBy({ id, attempt }: Claim): Stored | undefined {
    const job = this.stored.get(id);
    return job?.state === 'active' && job.attempts === attempt ? job : undefined;
  }

  private definition(queue: string): QueueDefinition {
    const found = this.queues.get(queue);
    if (!found) throw new Error(`There is no queue ${queue}.`);
    return found;
  }

  private failTheLate(): void {
    const now = this.now().getTime();
    for (const job of this.stored.values())
      if (job.state === 'active' && now - job.startedAt > this.definition(job.queue).timeoutSeconds * 1_000) this.failed(job, 'job timed out');
  }

  private failed(job: Stored, error: string): void {
    const now = this.now();
    const { attempts, backoffSeconds } = this.definition(job.queue);
    if (job.attempts < attempts) {
      const pauseMs = Math.max(backoffSeconds, LEAST_PAUSE_S) * 1_000 * 2 ** (job.attempts - 1);
      Object.assign(job, { state: 'waiting', dueAt: now.getTime() + pauseMs });
      return;
    }
    job.state = 'ended';
    const { queue, jobId, text, enqueuedAt } = job;
    const letter = { id: randomUUID(), queue, jobId, payload: JSON.parse(text) as unknown, attempts: job.attempts, error, enqueuedAt, failedAt: now, noticed: false };
    this.dead.set(letter.id, letter);
  }
}

const keyOf = (queue: string, jobId: string) => `${queue} ${jobId}`;
const shown = ({ noticed: _noticed, ...letter }: Letter): DeadLetter => letter;
