import { item } from '@app/content/contract';
import { newId, type EventStore, type Executor } from '@app/event-store';
import { goal, type Goal } from '@app/goals/contract';
import { governance } from '@app/governance/contract';
import { accept, missing, type Context, type Outcome } from '@app/kernel';
import { intent, MOST_OPEN_DRIFTS, type LiveIntent } from '../intent.state';
import { allDrifts, driftsOfItem } from '../open-drifts.state';
import { violations } from '../rules/violations.policy';
import { DriftSettler } from '../settle-drift/drift-settler';
import { assignDrift, isUnassigned, mayAssign, RECONCILER } from './assign-drift.decide';
import type { CycleView } from './cycle.view';
import { finishCycle, type Counted } from './finish-cycle.decide';
import { ItemFacts } from './item-facts';
import type { ItemPages } from './item-pages';
import type { LinkChecker } from './link-checker';
import { observeItem } from './observe-item.decide';
import { skippedBy, startCycle, type Firing } from './start-cycle.decide';

export type IntentCycleOptions = {
  readonly store: EventStore;
  readonly executor: Executor;
  readonly pages: ItemPages;
  readonly links: LinkChecker;
  readonly now?: () => Date;
  readonly monotonicMs?: () => number;
  /** How long a scan may look at items before it stops; the next one goes on there. */
  readonly scanMs?: number;
};

/** Who asked for the cycle, and in which request. `commandId` is what its commands' ids begin with: each adds its step. */
type By = Pick<Context, 'commandId'> & Partial<Pick<Context, 'actor' | 'correlationId' | 'traceparent'>>;
type Running = { readonly intentId: string; readonly siteId: string; readonly cycle: number; readonly facts: ItemFacts; readonly spent: () => number; readonly now: () => Date; readonly context: (step: string) => Context };

/** A third of what a durable deadline may hold its row for: goals and a last look at links come on top. */
const SCAN_MS = 10_000;

/**
 * One cycle of an intent: drifts that are known are looked at again, the collection is scanned from where the last scan stopped, and drifts
 * get their goals. Every step is an append of its own that holds by itself, so a cycle may be lost between any two of them.
 */
export class IntentCycle {
  private readonly settler: DriftSettler;

  constructor(private readonly options: IntentCycleOptions) {
    this.settler = new DriftSettler(options);
  }

  async run(intentId: string, siteId: string, firing: Omit<Firing, 'now'>, by: By): Promise<Outcome<CycleView>> {
    const { executor, pages, links, now = () => new Date(), monotonicMs = () => performance.now(), scanMs = SCAN_MS } = this.options;
    const context = (step: string): Context => ({
      actor: { kind: 'service', id: RECONCILER }, correlationId: `intent:${intentId}`, ...by, siteId, now: now(), commandId: `${by.commandId}:${step}`,
    });
    const refs = { intent: { aggregate: intent, id: intentId }, governance: { aggregate: governance, id: siteId, guard: true } } as const;
    const started = await executor.execute(refs, context('start'), (states) => startCycle(states, siteId, { ...firing, now: now() }));
    if (!started.ok) {
      const skipped = skippedBy(started);
      if (!skipped) return started;
      const { position } = await executor.current(intent, intentId);
      return { ok: true, data: { status: 'skipped', reason: skipped.reason, opensAt: skipped.opensAt ?? null }, position };
    }
    const state = started.states.intent;
    if (state.status !== 'live') return missing();
    const began = monotonicMs();
    const running: Running = { intentId, siteId, cycle: state.last!.cycle, facts: new ItemFacts(executor, links, state), spent: () => (monotonicMs() - began) / scanMs, now, context };
    await pages.caughtUp(started.position);
    const counted = await this.scan(state, running);
    const goalIds = await this.assign(running);
    return this.finish(running, counted, goalIds);
  }

  /**
   * Known drifts first: their items may have been repaired, pinned or deleted, and the scan meets no deleted ones. They get half of the time
   * at most, so that the scan always goes on.
   */
  private async scan(state: LiveIntent, running: Running): Promise<Counted> {
    const counted = { scanned: 0, found: 0, resolved: 0 };
    const look = async (itemId: string) => {
      const { found, resolved } = await this.observe(itemId, running);
      counted.scanned++;
      counted.found += found;
      counted.resolved += resolved;
    };
    const known = new Set(allDrifts(state.drifts).map(({ itemId }) => itemId));
    for (const itemId of known) {
      if (running.spent() > 0.5) break;
      await look(itemId);
    }
    for (let cursor = state.cursor; ; ) {
      const page = await this.options.pages.after(running.siteId, state.definition.collection, cursor);
      if (page.length === 0) return { ...counted, cursor: null };
      for (const { id, data, updatedAt } of page) {
        if (running.spent() > 1 || (await this.isFull(running))) return { ...counted, cursor };
        const facts = await running.facts.of(data, running.now());
        // What is sound by the read model is not looked up; what is not is decided on the item's own stream.
        if (!known.has(id) && violations(state.definition.rules, { data, updatedAt, pinned: [] }, facts).length > 0) await look(id);
        else if (!known.has(id)) counted.scanned++;
        cursor = id;
      }
    }
  }

  private async observe(itemId: string, { intentId, siteId, cycle, facts, context }: Running): Promise<{ readonly found: number; readonly resolved: number }> {
    const { executor } = this.options;
    const [{ state }, { state: known }] = [await executor.current(item, itemId), await executor.states.load(intent, intentId)];
    const asked = context(`look:${itemId}`);
    const about = await facts.of(state.status === 'live' ? state.data : {}, asked.now);
    const goalIds = known.status === 'live' ? driftsOfItem(known.drifts, itemId).flatMap(({ goalId }) => goalId ?? []) : [];
    // Whoever was to tell of their end may not have been heard.
    for (const goalId of goalIds) await this.settler.settle(goalId, siteId, { commandId: context(`settle:${goalId}`).commandId });
    const streams = { intent: { aggregate: intent, id: intentId }, item: { aggregate: item, id: itemId, guard: true } } as const;
    const refs = { ...streams, ...Object.fromEntries(goalIds.map((id) => [id, { aggregate: goal, id }])) } as typeof streams;
    const done = await executor.execute(refs, asked, (states) => {
      const goals = Object.fromEntries(goalIds.map((id) => [id, (states as unknown as Readonly<Record<string, Goal>>)[id]!]));
      const decision = observeItem({ ...states, goals }, itemId, cycle, about);
      return decision.ok ? accept({ intent: decision.events.intent, ...decision.events.goals }) : decision;
    });
    if (!done.ok) throw new Error(`Item ${itemId} could not be looked at: ${done.rejection.detail}`);
    const written = done.events.intent ?? [];
    return { found: written.filter(({ type }) => type === 'DriftFound').length, resolved: written.filter(({ type }) => type === 'DriftResolved').length };
  }

  /** More open drifts are not kept: the scan waits where it is until some are resolved. */
  private async isFull({ intentId }: Running): Promise<boolean> {
    const { state } = await this.options.executor.states.load(intent, intentId);
    return state.status !== 'live' || state.drifts.count >= MOST_OPEN_DRIFTS;
  }

  /** The drift that was found first gets its goal first. */
  private async assign({ intentId, siteId, cycle, now, context }: Running): Promise<readonly string[]> {
    const goalIds: string[] = [];
    const { executor } = this.options;
    const { state } = await executor.current(intent, intentId);
    if (state.status !== 'live') return goalIds;
    const waiting = allDrifts(state.drifts).filter((drift) => isUnassigned(drift, now())).toSorted((a, b) => (a.foundAt < b.foundAt ? -1 : 1));
    for (const { fingerprint } of waiting) {
      const goalId = newId('goal');
      const refs = {
        intent: { aggregate: intent, id: intentId }, goal: { aggregate: goal, id: goalId }, governance: { aggregate: governance, id: siteId, guard: true },
      } as const;
      const asked = context(`goal:${fingerprint}`);
      const done = await executor.execute(refs, { ...asked, goalId }, (states) => assignDrift(states, { fingerprint, goalId, cycle }, asked));
      if (!done.ok) throw new Error(`No goal for ${fingerprint}: ${done.rejection.detail}`);
      if (done.states.goal.status !== 'none') goalIds.push(goalId);
      if (!mayAssign(done.states.intent, done.states.governance, cycle, asked.now)) break;
    }
    return goalIds;
  }

  private async finish({ intentId, cycle, context }: Running, counted: Counted, goalIds: readonly string[]): Promise<Outcome<CycleView>> {
    const asked = context('finish');
    const refs = { intent: { aggregate: intent, id: intentId } } as const;
    const done = await this.options.executor.execute(refs, asked, (states) => finishCycle(states, cycle, counted, asked.now));
    if (!done.ok) return done;
    const { intent: state } = done.states;
    if (state.status !== 'live') return missing();
    const { cursor, ...counts } = counted;
    const goals = state.last?.cycle === cycle ? state.last.goals : 0;
    return { ok: true, data: { status: 'finished', cycle, ...counts, goals, goalIds, open: state.drifts.count, complete: cursor === null }, position: done.position };
  }
}
