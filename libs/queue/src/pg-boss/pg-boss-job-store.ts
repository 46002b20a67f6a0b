import type { Database, Transaction } from '@app/event-store';
import type { PgBoss } from 'pg-boss';
import { v5 } from 'uuid';
import { inTime } from '../answer-time';
import type { DeadLetter } from '../dead-letter';
import type { Claim, JobStore, NewJob } from '../job-store';
import { AGENT_DEAD_LETTER, type QueueDefinition } from '../queues';
import { declareQueue, loadBoss, startBoss, stopBoss } from './boss';
import { JobTable } from './job-table';
import { Closed, Persistence } from './persistence';

/** What a job is stored as. The payload stays text. */
type Envelope = { readonly job: string; readonly text: string };

/** What pg-boss answers to a change of jobs; its own type leaves it out. */
type Answered = { readonly affected: number; readonly settled: readonly string[] };

/** pg-boss's ids are UUIDs; the same job id gives the same one in every process. */
const JOB_IDS = '6f1f0f3a-52f6-4b0c-9d0a-5a3c1be6a1f4';

export class PgBossJobStore implements JobStore {
  private readonly table: JobTable;
  private readonly declared = new Map<string, { readonly definition: QueueDefinition; readonly done: Promise<PgBoss> }>();
  private readonly persistence: Persistence;
  private readonly loading: Promise<PgBoss>;
  private readonly starting: Promise<PgBoss>;

  constructor(db: Database, queues: readonly QueueDefinition[], onError: (error: unknown) => void) {
    this.table = new JobTable(db);
    this.persistence = new Persistence(onError);
    this.loading = loadBoss(db, onError);
    this.starting = this.loading.then((boss) => this.persistence.until(() => startBoss(boss)).then(() => boss));
    // One after the other: creating a queue takes an exclusive lock in pg-boss anyway.
    let before: Promise<unknown> = this.starting;
    for (const queue of queues) before = this.remember(queue, before);
    before.catch((error: unknown) => (error instanceof Closed ? undefined : onError(error)));
  }

  async ready(): Promise<void> {
    for (const { done } of this.declared.values()) await done;
  }

  async declare(queue: QueueDefinition) {
    await (this.declared.get(queue.name)?.done ?? this.remember(queue, this.starting));
  }

  expect(queue: string): void {
    this.queue(queue);
  }

  async add({ queue, jobId, text, notBefore }: NewJob, transaction?: Transaction) {
    const boss = await inTime(this.queue(queue).done);
    const envelope: Envelope = { job: jobId, text };
    const id = await boss.send(queue, envelope, {
      id: v5(jobId, JOB_IDS),
      ...(notBefore ? { startAfter: notBefore } : {}),
      ...(transaction ? { db: { executeSql: (sql, values) => transaction.query(sql, values) } } : {}),
    });
    return id !== null;
  }

  async claim(queue: string, most: number) {
    const { definition, done } = this.queue(queue);
    const jobs = await (await inTime(done)).fetch<Envelope>(queue, { batchSize: most });
    return jobs.map(({ id, data, retryCount }): Claim => ({ id, jobId: data.job, text: data.text, attempt: retryCount + 1, last: retryCount + 1 >= definition.attempts }));
  }

  async hold(queue: string, claims: readonly Claim[]) {
    const held = await (await this.boss()).touch(queue, claims.map(attemptOf));
    return new Set((held as Answered).settled);
  }

  async complete(queue: string, claim: Claim) {
    await (await this.boss()).complete(queue, attemptOf(claim));
  }

  async fail(queue: string, claim: Claim, error: string) {
    await (await this.boss()).fail(queue, attemptOf(claim), { message: error });
  }

  giveBack = (queue: string, claims: readonly Claim[]) => this.table.giveBack(queue, claims);

  async depths() {
    await inTime(this.ready());
    return this.table.depths([...this.declared.keys()].sort());
  }

  async letters(limit: number, skip: number) {
    await this.boss();
    return this.table.letters(limit, skip);
  }

  async letter(id: string) {
    await this.boss();
    return this.table.letter(id);
  }

  async unnoticed(limit: number, skip: number) {
    await this.boss();
    return this.table.unnoticed(limit, skip);
  }

  noticed = (id: string) => this.table.noticed(id);

  async requeue({ id }: DeadLetter) {
    return (await (await this.boss()).redrive(AGENT_DEAD_LETTER, { ids: [id] })) === 1;
  }

  async discard(id: string) {
    if (!(await this.letter(id))) return false;
    return ((await (await this.boss()).deleteJob(AGENT_DEAD_LETTER, id)) as Answered).affected === 1;
  }

  abandonStart(): void {
    this.persistence.close();
  }

  async close() {
    this.abandonStart();
    await this.starting.catch(() => undefined);
    await stopBoss(await this.loading);
  }

  private boss = (): Promise<PgBoss> => inTime(this.starting);

  private queue(name: string) {
    const found = this.declared.get(name);
    if (!found) throw new Error(`There is no queue ${name}.`);
    return found;
  }

  private remember(definition: QueueDefinition, after: Promise<unknown>): Promise<PgBoss> {
    const done = after.then(async () => {
      const boss = await this.starting;
      await this.persistence.until(() => declareQueue(boss, definition));
      return boss;
    });
    this.declared.set(definition.name, { definition, done });
    return done;
  }
}

const attemptOf = ({ id, attempt }: Claim) => ({ id, retryCount: attempt - 1 });
