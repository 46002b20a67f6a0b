import { Inject, Injectable } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { EventStore } from '@app/event-store';
import { RetryRun } from '@app/goals/contract';
import type { Caller } from '@app/http';
import { missing, type Outcome } from '@app/kernel';
import { AGENT_RUNS, QueueProvider, type DeadLetter } from '@app/queue';
import { GetRun } from '@app/runs/contract';
import type { RequeuedLetter } from './dead-letter.schema';
import { runOf, siteOf } from './shown-letter';

type Page = { readonly limit: number; readonly skip: number };

/** As many as the queue gives at once. */
const AT_ONCE = 1_000;

/** The dead letters that a caller may see: those of its site, and for platform admins those of the installation too. */
@Injectable()
export class DeadLetterDesk {
  constructor(
    @Inject(QueueProvider) private readonly queue: QueueProvider | null,
    private readonly bus: Bus,
    private readonly store: EventStore,
  ) {}

  /** Oldest first. `next` is how many letters, also of others, lie before the next page. */
  async list(caller: Caller, { limit, skip }: Page): Promise<{ readonly rows: readonly DeadLetter[]; readonly next: number | null }> {
    const rows: DeadLetter[] = [];
    for (let at = skip; this.queue; ) {
      const letters = await this.queue.deadLetters().list({ limit: AT_ONCE, skip: at });
      for (const letter of letters) {
        if (rows.length === limit) return { rows, next: at };
        at++;
        if (isVisible(letter, caller)) rows.push(letter);
      }
      if (letters.length < AT_ONCE) break;
    }
    return { rows, next: null };
  }

  async find(id: string, caller: Caller): Promise<Outcome<DeadLetter>> {
    const letter = await this.queue?.deadLetters().find(id);
    return letter && isVisible(letter, caller) ? { ok: true, data: letter, position: await this.store.head() } : missing();
  }

  /** A run that failed for good stays as it is: its task is done by a new run. Any other job goes back into its queue. */
  async requeue(id: string, caller: Caller): Promise<Outcome<RequeuedLetter>> {
    const found = await this.find(id, caller);
    if (!found.ok) return found;
    const { queue, jobId } = found.data;
    const failed = queue === AGENT_RUNS ? await this.deadRun(found.data, caller) : undefined;
    if (failed === undefined) {
      const done = await this.queue!.deadLetters().requeue(id);
      return done.ok ? { ok: true, data: { id, queue, jobId, runId: null }, position: await this.store.head() } : missing();
    }
    // Two who requeue one letter get the same run.
    const contextFor = (step: string) => ({ ...caller.context(), commandId: `requeue:${failed}/${id}:${step}`, repeatable: true });
    const retried = await this.bus.send(new RetryRun(failed, caller.principal, contextFor));
    if (!retried.ok) return retried;
    await this.queue!.deadLetters().discard(id);
    return { ok: true, data: { id, queue, jobId, runId: retried.data.runId }, position: retried.position };
  }

  async discard(id: string, caller: Caller): Promise<Outcome<{ readonly id: string }>> {
    const found = await this.find(id, caller);
    if (!found.ok) return found;
    const done = await this.queue!.deadLetters().discard(id);
    return done.ok ? { ok: true, data: { id }, position: await this.store.head() } : missing();
  }

  private async deadRun(letter: DeadLetter, { siteId }: Caller): Promise<string | undefined> {
    const runId = runOf(letter);
    const run = runId === null ? undefined : await this.bus.ask(new GetRun(runId, { siteId }));
    return run?.ok && run.data.stopReason === 'dead_lettered' ? run.data.runId : undefined;
  }
}

const isVisible = (letter: DeadLetter, { siteId, principal }: Caller) => {
  const site = siteOf(letter);
  return site === undefined ? principal.platformAdmin : site === siteId;
};
