import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { item, type ItemEvent } from '@app/content/contract';
import { InMemoryEventStore, type AppendResult, type Guard, type StreamWrite } from '@app/event-store';
import type { Context, Recorded } from '@app/kernel';
import type { IntentEvent } from '../intent.events';
import { catalogue, goalsIn, logOf, processOn, siteWith, type World } from '../testing/intent-world';

const ITEMS = 4;
const FIELDS = ['title', 'body'] as const;

/** Lets others go first for a while between a decision and its append, and lets a process die at one of its appends: before it, or behind it. */
class UnevenStore extends InMemoryEventStore {
  turns: Iterator<number> = [].values();
  private readonly dying = new Map<string, number>();

  dieAfter(actor: string, appends: number) {
    this.dying.set(actor, appends);
  }

  override async append(writes: readonly StreamWrite[], guards: readonly Guard[], appending: Context): Promise<AppendResult> {
    for (let turn = this.turns.next().value ?? 0; turn > 0; turn--) await Promise.resolve();
    const left = this.dying.get(appending.correlationId);
    if (left === undefined) return super.append(writes, guards, appending);
    this.dying.set(appending.correlationId, left - 1);
    if (left < 0) throw new Error('This process is dead');
    const done = await super.append(writes, guards, appending);
    if (left === 0) throw new Error('This process died behind its append');
    return done;
  }
}

const act = fc.record({
  what: fc.constantFrom('cycle', 'cycle', 'due', 'due', 'complete', 'fail', 'cancel', 'repair', 'break', 'pin', 'pause', 'resume', 'freeze', 'lift'),
  process: fc.nat(2), nr: fc.nat(ITEMS - 1), field: fc.constantFrom(...FIELDS),
  /** How long it lets others go first before it begins. */
  delay: fc.nat(300),
});
const pinning = fc.tuple(act, fc.constantFrom('cycle', 'pin', 'pin', 'pin', 'pin')).map(([each, what]) => ({ ...each, what }) as const);
type Act = typeof act extends fc.Arbitrary<infer T> ? T : never;

const perform = async ({ what, process, nr, field, delay }: Act, processes: readonly World[], intentId: string, minute: number, store: UnevenStore): Promise<unknown> => {
  for (let turn = delay; turn > 0; turn--) await Promise.resolve();
  const here = processes[process]!;
  const goals = await goalsIn(store);
  const goalId = goals.length === 0 ? undefined : goals[(nr + process) % goals.length]!.goalId;
  switch (what) {
    case 'cycle':
      return here.cycle(intentId);
    case 'due':
      return here.cycle(intentId, minute);
    case 'complete':
      return goalId && here.end(goalId, { type: 'GoalSettled', data: { status: 'completed' } });
    case 'fail':
      return goalId && here.end(goalId, { type: 'GoalSettled', data: { status: 'failed', reason: 'no' } }, nr > 0);
    case 'cancel':
      return goalId && here.end(goalId, { type: 'GoalCancelled', data: {} });
    case 'repair':
      return here.edit(nr, { [field]: 'There' });
    case 'break':
      return here.edit(nr, { [field]: null });
    case 'pin':
      return here.pin(nr, field);
    case 'pause':
    case 'resume':
      return here.wish(intentId, { to: what });
    case 'freeze':
      return here.governed({ type: 'ScopeFrozen', data: { freezeId: 'f1', scope: 'site', targetId: null, reason: null, by: 'key_ada' } });
    case 'lift':
      return here.governed({ type: 'FreezeLifted', data: { freezeId: 'f1', by: 'key_ada' } });
  }
};

/** What several processes did to an intent, with delays between decisions and appends, with deaths, and with cycles that take over from dead ones. */
const historyOf = (acts: fc.Arbitrary<Act>) => fc.record({
  maxGoalsPerCycle: fc.nat(3),
  waves: fc.array(fc.array(acts, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 }),
  turns: fc.array(fc.nat(40), { maxLength: 60 }),
  deaths: fc.array(fc.tuple(fc.nat(2), fc.nat(6)), { maxLength: 2 }),
});
const history = historyOf(act);
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;

const lived = async ({ maxGoalsPerCycle, waves, turns, deaths }: History) => {
  const store = new UnevenStore({ catalogue });
  await siteWith(store, Array.from({ length: ITEMS }, (_, nr) => (nr % 2 === 0 ? {} : { title: 'Here' })));
  const clock = { minute: 0 };
  const processes = [processOn(store, clock), processOn(store, clock), processOn(store, clock)];
  const { id } = await processes[0]!.declare({ rules: [{ type: 'required_fields', fields: [...FIELDS] }], budget: { maxGoalsPerCycle } });
  store.turns = turns.values();
  for (const [wave, acts] of waves.entries()) {
    // Two minutes are more than a lost cycle holds its intent.
    clock.minute = wave * 2;
    const death = deaths.find(([nr]) => nr === wave % 3);
    if (death) store.dieAfter(`intent:${id}`, death[1]);
    await Promise.allSettled(acts.map((each) => perform(each, processes, id, clock.minute, store)));
    store.dieAfter(`intent:${id}`, Number.POSITIVE_INFINITY);
  }
  return { id, maxGoalsPerCycle, log: await logOf(store) };
};

type IntentRecord = Recorded<IntentEvent>;
const ofIntent = (log: readonly Recorded[]) => log.filter(({ streamId }) => streamId.startsWith('intent-')) as unknown as readonly IntentRecord[];

describe('Cycles of an intent, whatever several processes, people and deaths do at the same time', () => {
  it('[INTENT-010] property O4: at most one open goal exists per drift fingerprint', async () => {
    let [goals, again] = [0, 0];
    await fc.assert(
      fc.asyncProperty(history, async (given) => {
        const { log } = await lived(given);
        const open = new Map<string, string>();
        const seen = new Set<string>();
        for (const event of log) {
          const goalId = event.streamId.slice('goal-'.length);
          if (event.type === 'GoalCreated') {
            const { driftFingerprint } = event.data as { driftFingerprint: string };
            expect([...open.values()]).not.toContain(driftFingerprint);
            open.set(goalId, driftFingerprint);
            goals++;
            if (seen.has(driftFingerprint)) again++;
            seen.add(driftFingerprint);
          }
          if (event.type === 'GoalSettled' || event.type === 'GoalCancelled') open.delete(goalId);
        }
      }),
      { numRuns: 200 },
    );
    expect(goals).toBeGreaterThan(20);
    expect(again).toBeGreaterThan(0);
  });

  it('[INTENT-011] property O11: a cycle creates at most maxGoalsPerCycle goals, and so does a firing of the schedule', async () => {
    let full = 0;
    await fc.assert(
      fc.asyncProperty(history, async (given) => {
        const { log, maxGoalsPerCycle } = await lived(given);
        const [perCycle, perFiring] = [new Map<number, number>(), new Map<string, number>()];
        const firingOf = new Map<number, string | null>();
        for (const event of ofIntent(log)) {
          if (event.type === 'DriftScanStarted') firingOf.set(event.data.cycle, event.data.dueAt);
          if (event.type !== 'DriftAssigned') continue;
          const { cycle } = event.data;
          perCycle.set(cycle, (perCycle.get(cycle) ?? 0) + 1);
          const dueAt = firingOf.get(cycle);
          if (dueAt) perFiring.set(dueAt, (perFiring.get(dueAt) ?? 0) + 1);
        }
        for (const count of [...perCycle.values(), ...perFiring.values()]) expect(count).toBeLessThanOrEqual(maxGoalsPerCycle);
        full += [...perCycle.values()].filter((count) => count === maxGoalsPerCycle).length;
        expect(log.filter(({ type }) => type === 'GoalCreated')).toHaveLength(log.filter(({ type }) => type === 'DriftAssigned').length);
      }),
      { numRuns: 200 },
    );
    expect(full).toBeGreaterThan(0);
  });

  it('[INTENT-009] property O5: a pinned field never gives a drift', async () => {
    let [found, pinned] = [0, 0];
    await fc.assert(
      fc.asyncProperty(historyOf(pinning), async (given) => {
        const { log } = await lived(given);
        const states = new Map<string, typeof item.initial>();
        for (const event of log) {
          if (event.streamId.startsWith('item-')) states.set(event.streamId, item.evolve(states.get(event.streamId) ?? item.initial, event as unknown as ItemEvent));
          if (event.type === 'FieldPinned') pinned++;
          if (event.type !== 'DriftFound') continue;
          const { itemId: of, ruleKey } = event.data as { itemId: string; ruleKey: string };
          const state = states.get(`item-${of}`)!;
          expect(Object.keys(state.status === 'live' ? state.pins : {})).not.toContain(ruleKey);
          found++;
        }
      }),
      { numRuns: 200 },
    );
    expect(found).toBeGreaterThan(20);
    expect(pinned).toBeGreaterThan(0);
  });
});
