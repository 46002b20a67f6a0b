import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { item, type Item, type ItemEvent } from '@app/content/contract';
import { InMemoryEventStore, type AppendResult, type Guard, type StreamWrite } from '@app/event-store';
import { freezeOf, governance, type Governance, type GovernanceEvent } from '@app/governance/contract';
import type { Context, Recorded } from '@app/kernel';
import type { StagingEvent } from './staging.events';
import { ADA, at, catalogue, ITEM, logOf, processOn, ROBOT, SITE, STAGING, stagedWorld, WINDOW_MS } from './testing/veto-world';

/** Lets others go first for a while between a decision and its append. */
class SlowStore extends InMemoryEventStore {
  turns: Iterator<number> = [].values();

  override async append(writes: readonly StreamWrite[], guards: readonly Guard[], context: Context): Promise<AppendResult> {
    for (let turn = this.turns.next().value ?? 0; turn > 0; turn--) await Promise.resolve();
    return super.append(writes, guards, context);
  }
}

const FIELDS = ['title', 'body', 'lead'] as const;
const BEFORE = { title: 'old title', body: 'old body', lead: 'old lead', slug: 'old slug' };
const PATCH = { title: 'new title', body: 'new body', lead: 'new lead' };
const DEADLINE = WINDOW_MS / 60_000;

type Act = { readonly minute: number; readonly process: number; readonly do: string; readonly field: (typeof FIELDS)[number] };
const act: fc.Arbitrary<Act> = fc.record({
  // Many acts meet at the deadline itself, and one minute before and after it.
  minute: fc.oneof(fc.nat(2 * DEADLINE), fc.constantFrom(DEADLINE - 1, DEADLINE, DEADLINE, DEADLINE + 1)),
  process: fc.nat(1),
  do: fc.constantFrom('tick', 'tick', 'tick', 'pin', 'edit', 'agent edit', 'edit elsewhere', 'freeze', 'lift', 'veto', 'commit now'),
  field: fc.constantFrom(...FIELDS),
});

const run = async (acts: readonly Act[], turns: readonly number[]) => {
  const store = new SlowStore({ catalogue });
  await stagedWorld(store, PATCH, BEFORE);
  const processes = [processOn(store), processOn(store)];
  const doing = ({ minute, process, do: what, field }: Act): Promise<unknown> => {
    const each = processes[process]!;
    switch (what) {
      case 'tick': return each.tick(minute);
      case 'pin': return each.pin(minute, field);
      case 'edit': return each.edit(minute, field, `by ada at ${minute}`);
      case 'agent edit': return each.edit(minute, field, `by another agent at ${minute}`, { actor: ROBOT, runId: 'run_2' });
      case 'edit elsewhere': return each.edit(minute, 'slug', `by ada at ${minute}`);
      case 'freeze': return each.freeze(minute, 'frz');
      case 'lift': return each.lift(minute, 'frz');
      case 'veto': return each.veto(minute);
      default: return each.commitNow(minute);
    }
  };
  store.turns = turns.values();
  // What happens in one minute happens at once, in both processes.
  for (const minute of [...new Set(acts.map((each) => each.minute))].toSorted((a, b) => a - b)) {
    await Promise.all(acts.filter((each) => each.minute === minute).map(doing));
  }
  // Afterwards the clocks of both processes find out, well after the deadline.
  await Promise.all(processes.map((each) => each.tick(3 * DEADLINE)));
  return logOf(store);
};

const ENDS = ['StagingVetoed', 'StagingCommitted', 'StagingCommittedPartially', 'StagingAbandoned'];

/** What must be true of every log, whatever happened in whatever order. */
const judge = (log: readonly Recorded[]) => {
  const deadline = at(DEADLINE).getTime();
  let [rules, live] = [governance.initial as Governance, item.initial as Item];
  let ended: string | undefined;
  const edited = new Set<string>();
  for (const event of log) {
    if (event.streamId === `item-${ITEM}`) {
      const { type, data, metadata, occurredAt } = event as Recorded<ItemEvent>;
      if (type === 'ItemPatched' && data.staged !== undefined) {
        const pinned = live.status === 'live' ? Object.keys(live.pins) : [];
        expect(Object.keys(data.patch).filter((field) => pinned.includes(field) || edited.has(field))).toEqual([]);
        expect(metadata).toMatchObject({ actor: ROBOT, runId: 'run_1', goalId: 'goal_1' });
        expect(freezeOf(rules as Extract<Governance, { status: 'site' }>, { agentRole: 'Writer' })).toBeUndefined();
        expect(occurredAt >= at(0).toISOString()).toBe(true);
      } else if (type === 'ItemPatched' && metadata.actor.id === ADA.id) Object.keys(data.patch).forEach((field) => edited.add(field));
      live = item.evolve(live, { type, data } as ItemEvent);
    }
    if (event.streamId === `governance-${SITE}`) rules = governance.evolve(rules, event as unknown as GovernanceEvent);
    if (event.streamId !== `staging-${STAGING}` || event.type === 'ChangeStaged') continue;
    const { type, data, occurredAt } = event as Recorded<StagingEvent>;
    expect(ended).toBeUndefined();
    if (ENDS.includes(type)) ended = type;
    if (type !== 'StagingCommitted' && type !== 'StagingCommittedPartially') continue;
    if (data.cause === 'window') expect([data.by, Date.parse(occurredAt) >= deadline]).toEqual([null, true]);
    else expect(data.by).toEqual(ADA);
    const pinned = live.status === 'live' ? Object.keys(live.pins) : [];
    const kept = FIELDS.filter((field) => pinned.includes(field) || edited.has(field));
    expect('dropped' in data ? data.dropped.map(({ field }) => field).toSorted() : []).toEqual(kept.toSorted());
    expect(data.fields.toSorted()).toEqual(FIELDS.filter((field) => !kept.includes(field)).toSorted());
  }
  const isFrozen = rules.status === 'site' && freezeOf(rules, { agentRole: 'Writer' }) !== undefined;
  // Nothing but a freeze keeps it waiting for ever.
  if (!isFrozen) expect(ended).toBeDefined();
  return ended;
};

describe('A veto window', () => {
  it('[VETO-008] property O6: never commits early, never after a veto, never over a later pin, and at most once, in whatever order things happen in two processes', async () => {
    const ends = new Map<string | undefined, number>();
    await fc.assert(
      fc.asyncProperty(fc.array(act, { maxLength: 10 }), fc.array(fc.nat(20), { maxLength: 40 }), async (acts, turns) => {
        const end = judge(await run(acts, turns));
        ends.set(end, (ends.get(end) ?? 0) + 1);
      }),
      { numRuns: 400 },
    );
    // All ways in which a window can end have really been seen.
    for (const end of [...ENDS, undefined]) expect(ends.get(end) ?? 0).toBeGreaterThan(0);
  }, 120_000);
});
