import { Injectable } from '@nestjs/common';
import { Bus } from '@app/cqrs';
import { EventStore, Executor, idFor } from '@app/event-store';
import { OpenGoal } from '@app/goals/contract';
import type { Caller } from '@app/http';
import type { Outcome } from '@app/kernel';
import { run as runAggregate } from '@app/runs/contract';
import { LRUCache } from 'lru-cache';
import { agentNameOf, isUsableFor, openingOf } from './run-of-the-day.policy';

/** Runs of one key on one day that are looked for in one question to the log. */
const LOOKED_FOR = 16;
const REMEMBERED = 10_000;

/**
 * The run of calls that name none: the latest of the key's runs of the day, or the next one when that has ended or used up what it may. Which runs
 * there are is in the log alone, for the id of each follows from key, day and number.
 */
@Injectable()
export class OwnRuns {
  /** How many runs there are at least: only where to begin to look. */
  private readonly known = new LRUCache<string, number>({ max: REMEMBERED });

  constructor(
    private readonly executor: Executor,
    private readonly store: EventStore,
    private readonly bus: Bus,
  ) {}

  async current({ principal, siteId, context }: Caller): Promise<Outcome<{ readonly runId: string }>> {
    const now = context('run');
    const opening = (nr: number) => openingOf(siteId, principal.id, now.now, nr);
    const count = await this.opened(opening(0).commandId, (nr) => idFor('run', opening(nr)));
    if (count > 0) {
      const runId = idFor('run', opening(count - 1));
      const { state, position } = await this.executor.current(runAggregate, runId);
      if (isUsableFor(state, principal)) return { ok: true, data: { runId }, position };
    }
    const title = `Calls over MCP on ${now.now.toISOString().slice(0, 10)}`;
    // Of origin `user`, as a goal that the caller opens itself: the door must decide alike whichever way a call comes.
    return this.bus.send(new OpenGoal({ title, agentName: agentNameOf(principal.name) }, principal, { ...now, ...opening(count) }, { origin: 'user' }));
  }

  private async opened(key: string, idOf: (nr: number) => string): Promise<number> {
    for (let from = this.known.get(key) ?? 0; ; from += LOOKED_FOR) {
      const ids = Array.from({ length: LOOKED_FOR }, (_, n) => `run-${idOf(from + n)}`);
      const versions = await this.store.versions(ids);
      const open = ids.filter((id) => (versions.get(id) ?? 0) > 0).length;
      this.known.set(key, from + open);
      if (open < LOOKED_FOR) return from + open;
    }
  }
}
